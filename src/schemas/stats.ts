import * as z from 'zod';

/** The statistics of both variants. */

const count = z.int().min(0).describe('Number of chunks.');

const sharedBreakdown = { file: count, reflection: count, agent_output: count } as const;

/** Chunks of each source type that the hybrid variant lists. */
const fiveTypes = z
  .object({ ...sharedBreakdown, manual: count, generated: count })
  .describe('Number of chunks of each source type; "url" is not listed.');

const sixTypes = z
  .object({ ...sharedBreakdown, url: count, manual: count, generated: count })
  .describe('Number of chunks of each source type.');

const totals = {
  totalChunks: z.int().min(0).describe('Number of chunks of all source types.'),
  totalSizeBytes: z
    .int()
    .min(0)
    .describe('Size of the database file, without its write-ahead log.'),
  uniqueSources: z.int().min(0).describe('Number of source files.'),
} as const;

const place = {
  lastUpdated: z.string().optional().describe('ISO 8601 time; absent if there are no chunks.'),
  dbPath: z.string().describe('Absolute path of the database.'),
} as const;

export const hybridStats = z
  .object({
    ...totals,
    sourceTypeBreakdown: fiveTypes,
    ...place,
    enabledHybridRetrieval: z
      .boolean()
      .describe('Whether the searches of this project use vectors now.'),
  })
  .meta({ id: 'HybridStats', description: "Statistics of a project's store." });

export const searchOnlyStats = z
  .object({ ...totals, sourceTypeBreakdown: sixTypes, ...place })
  .meta({ id: 'SearchOnlyStats', description: "Statistics of a project's store." });
