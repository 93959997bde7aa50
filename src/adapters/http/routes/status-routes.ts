import type { KnowledgeStore } from '../../../ports/driving/knowledge-store.js';
import { projectRequest } from '../../../schemas/fields.js';
import { statusResponse } from '../../../schemas/status.js';
import { type Route, route, STORE_ERRORS } from './route.js';

/** The route for the progress of background work (docs/api.md, "Extensions of the hybrid variant"). */
export function statusRoutes(store: KnowledgeStore): readonly Route[] {
  return [statusRoute(store)];
}

function statusRoute(store: KnowledgeStore): Route {
  return route({
    method: 'GET',
    path: '/api/knowledge/x/status',
    summary: "Returns the progress of a project's background work and the state of the model.",
    request: projectRequest,
    response: statusResponse,
    errors: STORE_ERRORS,
    handle: async ({ projectPath }) => ({
      embeddings: await store.getEmbeddingStatus(projectPath),
      hype: await store.getHypeStatus(projectPath),
      model: store.getModelStatus(),
    }),
  });
}
