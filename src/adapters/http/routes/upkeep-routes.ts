import * as z from 'zod';
import { FIELDS } from '../../../domain/fields.js';
import {
  categoryName,
  flag,
  projectPath,
  projectRequest,
  textFor,
  wholeNumber,
} from '../../../schemas/fields.js';
import { statusResponse } from '../../../schemas/stats.js';
import {
  compactResponse,
  diagnosis,
  draftResponse,
  importCounts,
  pruneResponse,
  restoreResponse,
} from '../../../schemas/upkeep.js';
import { route } from './route.js';

const threshold = wholeNumber(FIELDS.threshold)
  .describe('Tokens above which the category is summarized; default 50,000.')
  .exactOptional();

/** What keeps a project's knowledge small, and its background work (docs/api.md, "Extensions of the hybrid variant"). */
export const upkeepRoutes = [
  route('POST /api/knowledge/x/compact', {
    summary: 'Summarizes a memory category that has grown too long.',
    request: z.object({
      projectPath,
      category: categoryName,
      threshold,
      dryRun: flag.describe('Only report what would be done; default false.').exactOptional(),
    }),
    response: compactResponse,
    errors: ['category_not_found', 'model_unavailable'],
    handle: ({ store }, { projectPath, category, threshold, dryRun }) =>
      dryRun
        ? store.previewCompaction(projectPath, category, threshold)
        : store.compactCategory(projectPath, category, threshold),
  }),
  route('POST /api/knowledge/x/compact/preview', {
    summary: 'Shows the text that a compaction would write. Asks the model; changes nothing.',
    request: z.object({ projectPath, category: categoryName, threshold }),
    response: draftResponse,
    errors: ['category_not_found', 'model_unavailable'],
    handle: ({ store }, { projectPath, category, threshold }) =>
      store.draftCompaction(projectPath, category, threshold),
  }),
  route('POST /api/knowledge/x/compact/restore', {
    summary: 'Takes back the last compaction of a memory category.',
    request: z.object({ projectPath, category: categoryName }),
    response: restoreResponse,
    errors: ['not_found'],
    handle: ({ store }, { projectPath, category }) => store.restoreCategory(projectPath, category),
  }),
  route('POST /api/knowledge/x/prune', {
    summary: 'Deletes chunks that were never retrieved and are at least 90 days old.',
    request: z.object({
      projectPath,
      dryRun: flag.describe('Only report what would be deleted; default false.').exactOptional(),
    }),
    response: pruneResponse,
    handle: async ({ store }, { projectPath, dryRun }) => {
      const chunks = dryRun
        ? await store.previewPrune(projectPath)
        : await store.pruneWithReport(projectPath);
      return { deleted: chunks.length, chunks };
    },
  }),
  route('GET /api/knowledge/x/status', {
    summary: "Returns the progress of a project's background work and the state of the model.",
    request: projectRequest,
    response: statusResponse,
    handle: async ({ store }, { projectPath }) => ({
      embeddings: await store.getEmbeddingStatus(projectPath),
      hype: await store.getHypeStatus(projectPath),
      model: store.getModelStatus(),
      ...((await store.isFirstIndexing(projectPath)) && { indexing: 'running' as const }),
      ...((await store.isEmbedding(projectPath)) && { embedding: 'running' as const }),
    }),
  }),
];

/** For when something breaks, or before it does (docs/when-it-breaks.md). */
export const recoveryRoutes = [
  route('POST /api/knowledge/x/doctor', {
    summary: 'Says what is wrong with a store and what is missing in it, and repairs it.',
    request: z.object({
      projectPath,
      repair: flag.describe('Also repair what can be repaired; default false.').exactOptional(),
    }),
    response: diagnosis,
    handle: ({ recovery }, { projectPath, repair }) =>
      repair ? recovery.repair(projectPath) : recovery.examine(projectPath),
  }),
  route('POST /api/knowledge/x/import', {
    summary:
      'Adds the chunks, vectors, questions and counts of a database to the store of a project.',
    request: z.object({
      projectPath,
      path: textFor(FIELDS.databasePath)
        .describe('Path of the database, absolute or relative to the project.')
        .meta({ examples: ['/home/me/copy.db'] }),
    }),
    response: importCounts,
    errors: ['not_found', 'not_readable'],
    handle: ({ recovery }, { projectPath, path }) => recovery.importDatabase(projectPath, path),
  }),
];
