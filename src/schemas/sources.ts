import * as z from 'zod';
import { count, list, named, sourceType } from './fields.js';
import { citationReport, citations, fullChunk, heading } from './results.js';

/** What a store holds: its sources, its chunks, and counts over all of them. */

const id = z.string().describe('Id of the chunk.');
const sourceFile = z.string().describe('Path of the source, relative to the project, with "/".');

/** What is not read, and why. */
export const skippedSources = list(
  named('SkippedSource', 'A file that is there but is not read.', {
    sourceFile: z.string().describe('Path relative to the project; for a pattern, the pattern.'),
    reason: z.string().describe('Why it is not read.'),
  }),
  'Files that are not read, and patterns that match nothing.',
);

export const sourcesResponse = z.object({
  sources: list(
    named('Source', 'A source of a project, and what the index holds of it.', {
      sourceFile,
      sourceType,
      chunks: count('Number of its chunks.'),
      bytes: count('Size of its file; 0 if there is none that may be read.'),
      indexedAt: z
        .string()
        .optional()
        .describe('ISO 8601 time when a chunk of it was last written; absent if it has none.'),
      retrievals: count('How often its chunks were retrieved.'),
    }),
    'Sorted by source file.',
  ),
  skipped: skippedSources,
});

export const linesResponse = z.object({
  sourceFile,
  from: z.int().min(1).describe('First line of the text.'),
  to: count('Last line of the text.'),
  lines: count('Number of lines of the source.'),
  text: z.string().describe('The lines.'),
});

export const chunkResponse = z.object({
  chunk: fullChunk.describe('The chunk.'),
  questions: z.array(z.string()).describe('The questions that the chunk answers; may be empty.'),
  neighbours: list(
    named('ChunkNeighbour', 'A chunk with a similar meaning.', {
      ...{ id, sourceFile, heading },
      cosine: z.number().describe('Similarity, from -1 to 1.'),
    }),
    'At most 10 other chunks, nearest first; empty while the chunk has no vector.',
  ),
  supersededBy: z
    .string()
    .optional()
    .describe('Id of the note that replaces the one of the chunk; absent if there is none.'),
  ...citationReport,
});

export const staleResponse = z.object({
  chunks: list(z.object({ id, sourceFile, heading, citations }), 'Sorted by id.'),
});

export const surveyResponse = z.object({
  chunks: count('Number of chunks.'),
  tokens: count('Budget tokens of all texts.'),
  retrievals: count('Retrievals of all chunks.'),
  neverRetrieved: count('Chunks that were never retrieved.'),
  types: list(
    named('TypeCount', 'The chunks of one type.', {
      sourceType,
      chunks: count('Number of chunks.'),
      tokens: count('Budget tokens of their texts.'),
      retrievals: count('Their retrievals.'),
    }),
    'Types that have chunks, most chunks first.',
  ),
  sizes: list(
    named('SizeCount', 'The chunks of one size.', {
      upTo: count('Tokens of the largest chunk here; absent for the last.').optional(),
      chunks: count('Number of chunks.'),
    }),
    'Chunks by size, small ones first.',
  ),
  lastRetrieved: list(
    named('DayCount', 'The chunks that were last retrieved on a day.', {
      day: z.string().describe('Day in UTC, YYYY-MM-DD.'),
      chunks: count('Number of chunks.'),
    }),
    'Chunks by the day of their last retrieval, oldest first, without empty days.',
  ),
});

export const chunkListResponse = z.object({
  total: count('Number of all chunks that match.'),
  chunks: list(
    named('ChunkEntry', 'A chunk without its text.', {
      ...{ id, sourceType, sourceFile, heading },
      tokens: count('Budget tokens of its text.'),
      importance: z.number().describe('From 0 to 1.'),
      updatedAt: z.string().describe('ISO 8601 time.'),
      retrievals: count('How often it was retrieved.'),
      lastRetrievedAt: z.string().optional().describe('ISO 8601 time; absent if never.'),
    }),
    'One page of the chunks, in the order that was asked for.',
  ),
});

const coordinate = z.number().min(-1).max(1).describe('-1 to 1.');

export const mapResponse = z.object({
  total: count('Number of all chunks of the project.'),
  points: list(
    named('MapPoint', 'A chunk as a point on the map.', {
      ...{ id, sourceType, heading },
      x: coordinate,
      y: coordinate,
    }),
    'Of an even sample of the chunks, those that have a vector.',
  ),
});
