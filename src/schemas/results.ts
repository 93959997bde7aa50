import * as z from 'zod';
import { count, list, named, storedType } from './fields.js';

/** The chunks and search results of both variants. */

const id = z.string().describe('Source file, "#" and the position of the chunk in it.');
const sourceFile = z.string().describe('Path relative to the project, with "/".');
export const title = z
  .string()
  .optional()
  .describe('The nearest heading above its text, if it differs from `heading`.');

export const heading = z.string().optional().describe('Absent if the chunk has none.');
const content = z.string().describe('Text of the chunk, without its heading.');
const tags = z.array(z.string()).optional().describe('Absent if the chunk has none.');
const importance = z.number().describe('From 0 to 1.');

const score = z
  .number()
  .describe('BM25 score (negative, lower is better), or merged score (higher is better).');

export const relevance = z
  .number()
  .min(0)
  .max(1)
  .describe('How likely the chunk is to answer the query; present only if vectors were compared.');

const lines = z.string().optional();

/** The files that a chunk cites (docs/specification.md, "Citations"). */
export const citations = list(
  named('Citation', 'A file of the project that a chunk cites.', {
    path: z.string().describe('The file, relative to the project, with "/".'),
    lines: lines.describe('Cited lines, as "from-to"; absent if the whole file is cited.'),
    state: z
      .enum(['current', 'changed', 'gone'])
      .describe('Whether it still holds; lines that moved within their file count as current.'),
    since: z.string().describe('ISO 8601 time since which changes count.'),
    movedTo: lines.describe('Where the lines are now, as "from-to".'),
  }),
  'A citation of the chunk.',
);

/** Keys shown with a chunk. */
export const citationReport = {
  citations: citations.optional().describe('The citations of the chunk; absent if there are none.'),
  stale: z
    .literal(true)
    .optional()
    .describe('Present only if a cited file was changed or deleted.'),
};

/** Keys shown with a chunk or lines of a note. */
export const noteReport = {
  version: z.string().optional().describe('Version of the note; absent for other sources.'),
  updated: z
    .string()
    .optional()
    .describe('ISO 8601 time when the note was last changed; absent for other sources.'),
};

/** Keys shown with a chunk or lines of a session. */
export const sessionReport = {
  agent: z.string().optional().describe('Agent of the session; absent for other sources.'),
};

/** Keys shown with a chunk of a session. */
export const saidReport = {
  ...sessionReport,
  said: z
    .string()
    .optional()
    .describe('ISO 8601 time of the exchange in a session; absent for other sources.'),
};

/** A chunk as the hybrid variant shows it. */
const shortChunk = named('ShortChunk', "A piece of a project's knowledge.", {
  id,
  sourceType: storedType,
  sourceFile,
  heading,
  content,
  tags,
  importance,
});

/** A chunk with all its fields, as the search-only variant shows it. */
export const fullChunk = named(
  'FullChunk',
  "A piece of a project's knowledge, with all its fields.",
  {
    id,
    sourceType: storedType,
    sourceFile,
    projectPath: z.string().describe('Path by which the project was opened.'),
    chunkIndex: count('Position in the source file, counted from 0.'),
    heading,
    content,
    tags,
    importance,
    createdAt: z.string().describe('ISO 8601 time.'),
    updatedAt: z.string().describe('ISO 8601 time.'),
  },
);

const result = { chunk: shortChunk.describe('The chunk.'), score };

export const shortResult = named('ShortResult', 'A matching chunk and its score.', result);

const rated = { ...result, relevance: relevance.optional(), ...citationReport };

/** A result of the extensions, which report its relevance. */
export const ratedResult = named(
  'RatedResult',
  'A matching chunk, its score and its relevance.',
  rated,
);

export const readResult = named('ReadResult', 'A search result for people and agents.', {
  ...rated,
  line: count('Line of the file on which it begins, counted from 1; absent if unknown.').optional(),
  scope: z.enum(['project', 'user']).describe('Whether it belongs to the project or to the user.'),
  supersededBy: z
    .string()
    .optional()
    .describe('Id of the note that supersedes it; absent if none does.'),
  ...noteReport,
  ...saidReport,
});

export const projectResult = named('ProjectResult', 'A matching chunk from one of the projects.', {
  projectPath: z.string().describe('The project, as the request names it.'),
  ...rated,
});

export const fullResult = named('FullResult', 'A matching chunk and its score.', {
  chunk: fullChunk.describe('The chunk.'),
  score,
});
