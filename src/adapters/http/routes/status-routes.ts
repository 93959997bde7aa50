import { z } from 'zod';
import type { KnowledgeStore } from '../../../ports/driving/knowledge-store.js';
import { projectRequest } from '../schemas/fields.js';
import { READ_ERRORS, type Route, route } from './route.js';

/** The route for the progress of background work (docs/api.md, "Extensions of the hybrid variant"). */
export function statusRoutes(store: KnowledgeStore): readonly Route[] {
  return [statusRoute(store)];
}

const progress = z.object({
  complete: z.int().min(0).describe('Number of chunks that are done.'),
  pending: z.int().min(0).describe('Number of chunks that are still waiting.'),
});

const statusResponse = z.object({
  embeddings: progress.describe('Chunks with and without their vector.'),
  hype: progress.describe('Chunks with and without the vectors of their questions.'),
  model: z
    .object({
      name: z.string().describe('Name of the embedding model on its hub.'),
      state: z
        .enum(['absent', 'idle', 'loading', 'ready', 'failed'])
        .describe('Whether the model can be used.'),
    })
    .describe('The embedding model.'),
});

function statusRoute(store: KnowledgeStore): Route {
  return route({
    method: 'GET',
    path: '/api/knowledge/x/status',
    summary: "Returns the progress of a project's background work and the state of the model.",
    request: projectRequest,
    response: statusResponse,
    errors: READ_ERRORS,
    handle: async ({ projectPath }) => ({
      embeddings: await store.getEmbeddingStatus(projectPath),
      hype: await store.getHypeStatus(projectPath),
      model: store.getModelStatus(),
    }),
  });
}
