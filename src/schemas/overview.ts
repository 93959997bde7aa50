import * as z from 'zod';
import { SOURCE_TYPES } from '../domain/chunks/chunk.js';

/** What a store holds as a whole. */

const count = z.int().min(0);
const sourceType = z.union([z.enum(SOURCE_TYPES), z.string()]).describe('Type of the source.');
const id = z.string().describe('Id of the chunk.');
const heading = z.string().optional().describe('Absent if the chunk has none.');
const coordinate = z.number().min(-1).max(1);

export const surveyResponse = z.object({
  chunks: count.describe('Number of chunks.'),
  tokens: count.describe('Budget tokens of all texts.'),
  retrievals: count.describe('Retrievals of all chunks.'),
  neverRetrieved: count.describe('Chunks that were never retrieved.'),
  types: z
    .array(
      z
        .object({
          sourceType,
          chunks: count.describe('Number of chunks.'),
          tokens: count.describe('Budget tokens of their texts.'),
          retrievals: count.describe('Their retrievals.'),
        })
        .meta({ id: 'TypeCount', description: 'The chunks of one type.' }),
    )
    .describe('Types that have chunks, most chunks first.'),
  sizes: z
    .array(
      z
        .object({
          upTo: count.optional().describe('Tokens of the largest chunk here; absent for the last.'),
          chunks: count.describe('Number of chunks.'),
        })
        .meta({ id: 'SizeCount', description: 'The chunks of one size.' }),
    )
    .describe('Chunks by size, small ones first.'),
  lastRetrieved: z
    .array(
      z
        .object({
          day: z.string().describe('Day in UTC, YYYY-MM-DD.'),
          chunks: count.describe('Number of chunks.'),
        })
        .meta({ id: 'DayCount', description: 'The chunks that were last retrieved on a day.' }),
    )
    .describe('Chunks by the day of their last retrieval, oldest first, without empty days.'),
});

export const chunkListResponse = z.object({
  total: count.describe('Number of all chunks that match.'),
  chunks: z
    .array(
      z
        .object({
          id,
          sourceType,
          sourceFile: z.string().describe('Path relative to the project, with "/".'),
          heading,
          tokens: count.describe('Budget tokens of its text.'),
          importance: z.number().describe('From 0 to 1.'),
          updatedAt: z.string().describe('ISO 8601 time.'),
          retrievals: count.describe('How often it was retrieved.'),
          lastRetrievedAt: z.string().optional().describe('ISO 8601 time; absent if never.'),
        })
        .meta({ id: 'ChunkEntry', description: 'A chunk without its text.' }),
    )
    .describe('One page of the chunks, in the order that was asked for.'),
});

export const mapResponse = z.object({
  total: count.describe('Number of all chunks of the project.'),
  points: z
    .array(
      z
        .object({
          id,
          sourceType,
          heading,
          x: coordinate.describe('-1 to 1.'),
          y: coordinate.describe('-1 to 1.'),
        })
        .meta({ id: 'MapPoint', description: 'A chunk as a point on the map.' }),
    )
    .describe('Of an even sample of the chunks, those that have a vector.'),
});
