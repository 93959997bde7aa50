import * as z from 'zod';
import { FIELDS } from '../../../domain/fields.js';
import type { KnowledgeStore } from '../../../ports/driving/knowledge-store.js';
import {
  categoryName,
  flag,
  projectPath,
  projectRequest,
  wholeNumber,
} from '../../../schemas/fields.js';
import { statusResponse } from '../../../schemas/status.js';
import { compactResponse, pruneResponse, restoreResponse } from '../../../schemas/upkeep.js';
import { type Route, route } from './route.js';

/** What keeps a project's knowledge small, and its background work (docs/api.md, "Extensions of the hybrid variant"). */
export function upkeepRoutes(store: KnowledgeStore): readonly Route[] {
  return [compactRoute(store), restoreRoute(store), pruneRoute(store), statusRoute(store)];
}

const compactRequest = z.object({
  projectPath,
  category: categoryName,
  threshold: wholeNumber(FIELDS.threshold)
    .describe('Tokens above which the category is summarized; default 50,000.')
    .exactOptional(),
  dryRun: flag.describe('Only report what would be done; default false.').exactOptional(),
});

const pruneRequest = z.object({
  projectPath,
  dryRun: flag.describe('Only report what would be deleted; default false.').exactOptional(),
});

function compactRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/compact',
    summary: 'Summarizes a memory category that has grown too long.',
    request: compactRequest,
    response: compactResponse,
    errors: ['category_not_found', 'model_unavailable'],
    handle: ({ projectPath, category, threshold, dryRun }) =>
      dryRun
        ? store.previewCompaction(projectPath, category, threshold)
        : store.compactCategory(projectPath, category, threshold),
  });
}

function restoreRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/compact/restore',
    summary: 'Takes back the last compaction of a memory category.',
    request: z.object({ projectPath, category: categoryName }),
    response: restoreResponse,
    errors: ['not_found'],
    handle: ({ projectPath, category }) => store.restoreCategory(projectPath, category),
  });
}

function pruneRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/prune',
    summary: 'Deletes chunks that were never retrieved and are at least 90 days old.',
    request: pruneRequest,
    response: pruneResponse,
    handle: async ({ projectPath, dryRun }) => {
      const chunks = dryRun
        ? await store.previewPrune(projectPath)
        : await store.pruneWithReport(projectPath);
      return { deleted: chunks.length, chunks };
    },
  });
}

function statusRoute(store: KnowledgeStore): Route {
  return route({
    method: 'GET',
    path: '/api/knowledge/x/status',
    summary: "Returns the progress of a project's background work and the state of the model.",
    request: projectRequest,
    response: statusResponse,
    handle: async ({ projectPath }) => ({
      embeddings: await store.getEmbeddingStatus(projectPath),
      hype: await store.getHypeStatus(projectPath),
      model: store.getModelStatus(),
    }),
  });
}
