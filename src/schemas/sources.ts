import * as z from 'zod';
import { SOURCE_TYPES } from '../domain/chunks/chunk.js';

/** What is not read, and why. */
export const skippedSources = z
  .array(
    z
      .object({
        sourceFile: z
          .string()
          .describe('Path relative to the project; for a pattern, the pattern.'),
        reason: z.string().describe('Why it is not read.'),
      })
      .meta({ id: 'SkippedSource', description: 'A file that is there but is not read.' }),
  )
  .describe('Files that are not read, and patterns that match nothing.');

export const sourceReport = z
  .object({
    sourceFile: z.string().describe('Path relative to the project, with "/".'),
    sourceType: z.union([z.enum(SOURCE_TYPES), z.string()]).describe('Its type.'),
    chunks: z.int().min(0).describe('Number of its chunks.'),
    bytes: z.int().min(0).describe('Size of its file; 0 if there is none that may be read.'),
    indexedAt: z
      .string()
      .optional()
      .describe('ISO 8601 time when a chunk of it was last written; absent if it has none.'),
    retrievals: z.int().min(0).describe('How often its chunks were retrieved.'),
  })
  .meta({ id: 'Source', description: 'A source of a project, and what the index holds of it.' });

export const chunkNeighbour = z
  .object({
    id: z.string().describe('Id of the chunk.'),
    sourceFile: z.string().describe('Its source file.'),
    heading: z.string().optional().describe('Absent if the chunk has none.'),
    cosine: z.number().describe('Similarity, from -1 to 1.'),
  })
  .meta({ id: 'ChunkNeighbour', description: 'A chunk with a similar meaning.' });
