import * as z from 'zod';
import { SOURCE_TYPES } from '../domain/chunks/chunk.js';
import { citationReport, citations } from './citations.js';
import { fullChunk } from './results.js';

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

export const sourcesResponse = z.object({
  sources: z.array(sourceReport).describe('Sorted by source file.'),
  skipped: skippedSources,
});

export const linesResponse = z.object({
  sourceFile: z.string().describe('Path relative to the project, with "/".'),
  from: z.int().min(1).describe('First line of the text.'),
  to: z.int().min(0).describe('Last line of the text.'),
  lines: z.int().min(0).describe('Number of lines of the source.'),
  text: z.string().describe('The lines.'),
});

export const chunkResponse = z.object({
  chunk: fullChunk.describe('The chunk.'),
  questions: z.array(z.string()).describe('The questions that the chunk answers; may be empty.'),
  neighbours: z
    .array(chunkNeighbour)
    .describe('At most 10 other chunks, nearest first; empty while the chunk has no vector.'),
  supersededBy: z
    .string()
    .optional()
    .describe('Id of the note that replaces the one of the chunk; absent if there is none.'),
  ...citationReport,
});

export const staleResponse = z.object({
  chunks: z
    .array(
      z.object({
        id: z.string().describe('Id of the chunk.'),
        sourceFile: z.string().describe('Its source file.'),
        heading: z.string().optional().describe('Absent if the chunk has none.'),
        citations: citations,
      }),
    )
    .describe('Sorted by id.'),
});
