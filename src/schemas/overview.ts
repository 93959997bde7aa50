import * as z from 'zod';
import { LISTED_PROJECTS_MAX } from '../domain/limits.js';
import {
  CHUNK_ORDERS,
  LISTED_CHUNKS_RANGE,
  LISTED_OFFSET_RANGE,
} from '../domain/overview/chunk-list.js';
import type { Answer, Request } from './checks.js';
import {
  anyText,
  count,
  list,
  named,
  oneValue,
  projectPath,
  sourceType,
  storedType,
} from './fields.js';
import { pageFields } from './page-fields.js';
import { heading, title } from './results.js';

/** Lists of projects, and of the chunks of a project. */

const id = z.string().describe('Id of the chunk.');

export const chunkListRequest = z.object({
  projectPath,
  order: oneValue(CHUNK_ORDERS).describe('Default "source".').exactOptional(),
  sourceType: sourceType.describe('Only chunks of this type.').exactOptional(),
  sourceFile: anyText.describe('Only chunks of this source.').exactOptional(),
  ...pageFields('chunks', { limit: LISTED_CHUNKS_RANGE, offset: LISTED_OFFSET_RANGE }),
});

export type ChunkListRequest = Request<typeof chunkListRequest>;

const sourceFile = z.string().describe('Path of the source, relative to the project, with "/".');

export const chunkListResponse = z.object({
  total: count('Number of all chunks that match.'),
  chunks: list(
    named('ChunkEntry', 'A chunk without its text.', {
      id,
      sourceType: storedType,
      sourceFile,
      heading,
      title,
      tokens: count('Budget tokens of its text.'),
      importance: z.number().describe('From 0 to 1.'),
      updatedAt: z.string().describe('ISO 8601 time.'),
      retrievals: count('How often it was retrieved.'),
      lastRetrievedAt: z
        .string()
        .optional()
        .describe('ISO 8601 time of the last retrieval; absent if there was none.'),
    }),
    'One page of chunks, in the requested order.',
  ),
});

export const projectHistoryRequest = z.object({
  figures: oneValue(['true'])
    .describe('Whether to count chunks and sources, which opens the store of each project.')
    .exactOptional(),
});

export type ProjectHistoryRequest = Request<typeof projectHistoryRequest>;

export const projectHistoryResponse = z.object({
  projects: list(
    named('RecentProject', 'A project that a process of this user has opened.', {
      projectPath: z.string().describe('Absolute path of the project.'),
      usedAt: z.string().describe('ISO 8601 time when a process last opened it.'),
      bytes: count('Size of its database file; absent if it has none.').optional(),
      figures: z
        .object({
          chunks: count('Number of its chunks.'),
          sources: count('Number of source files that have chunks.'),
          lastUpdated: z
            .string()
            .optional()
            .describe(
              'ISO 8601 time when a chunk was last written; absent if there are no chunks.',
            ),
        })
        .optional()
        .describe('Present only if requested and if its store can be opened.'),
    }),
    `Most recently opened first; at most ${LISTED_PROJECTS_MAX}.`,
  ),
});

export type ProjectHistoryList = Answer<typeof projectHistoryResponse>;
