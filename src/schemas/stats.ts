import * as z from 'zod';
import type { Answer } from './checks.js';
import { count, named } from './fields.js';

/** The figures of a store, the progress of its background work, and the state of the embedding model. */

const ofType = count('Number of chunks.');

/** Chunks of each source type listed by the hybrid variant. */
const fiveTypes = z
  .object({
    file: ofType,
    reflection: ofType,
    agent_output: ofType,
    manual: ofType,
    generated: ofType,
  })
  .describe('Number of chunks of each source type; "url" is not listed.');

const sixTypes = z
  .object({ ...fiveTypes.shape, url: ofType })
  .describe('Number of chunks of each source type.');

const totals = {
  totalChunks: count('Number of chunks of all source types.'),
  totalSizeBytes: count('Size of the database file, without its write-ahead log.'),
  uniqueSources: count('Number of source files.'),
  lastUpdated: z.string().optional().describe('ISO 8601 time; absent if there are no chunks.'),
  dbPath: z.string().describe('Absolute path of the database.'),
} as const;

export const hybridStats = named('HybridStats', "Statistics of a project's store.", {
  ...totals,
  sourceTypeBreakdown: fiveTypes,
  enabledHybridRetrieval: z
    .boolean()
    .describe('Whether searches of this project currently use vectors.'),
});

const searchOnlyStats = named('SearchOnlyStats', "Statistics of a project's store.", {
  ...totals,
  sourceTypeBreakdown: sixTypes,
});

/** The answer of the search-only variant. */
export const keywordStatsResponse = z.object({
  success: z.literal(true).describe('Always true.'),
  stats: searchOnlyStats.describe("Statistics of the project's store."),
});

const progress = z.object({
  complete: count('Number of finished chunks.'),
  pending: count('Number of waiting chunks.'),
  refused: count('Number of texts that the model refused.').optional(),
});

export const modelStatus = z
  .object({
    name: z.string().describe('Name of the embedding model on its hub.'),
    state: z
      .enum(['absent', 'idle', 'loading', 'ready', 'failed'])
      .describe('Whether the model can be used.'),
    runtime: z.enum(['wasm', 'native', 'endpoint']).optional().describe('Where the model runs.'),
    download: z
      .object({
        done: count('Bytes downloaded so far.'),
        total: count('Size of the file in bytes.'),
      })
      .optional()
      .describe('The model file being downloaded.'),
  })
  .describe('The embedding model.');

export type ModelStatus = Answer<typeof modelStatus>;

export const statusResponse = z.object({
  embeddings: progress.describe('Chunks with and without a vector.'),
  hype: progress.describe('Chunks with and without a vector of their questions.'),
  model: modelStatus,
  indexing: z
    .literal('running')
    .optional()
    .describe('Present only during the first indexing of the project.'),
  embedding: z
    .literal('running')
    .optional()
    .describe('Present only while a process computes vectors for the project.'),
  expired: z
    .array(z.string())
    .optional()
    .describe('Source files of expired notes, for review; absent if there are none.'),
});

export type Status = Answer<typeof statusResponse>;
