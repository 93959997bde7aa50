import * as z from 'zod';
import type { Answer, Request } from './checks.js';
import {
  anyText,
  count,
  inQuery,
  line,
  list,
  named,
  projectPath,
  sourceType,
  storedType,
  texts,
} from './fields.js';
import {
  citationReport,
  citations,
  fullChunk,
  heading,
  noteReport,
  saidReport,
  sessionReport,
  title,
} from './results.js';

/** The sources of a project: read, listed, shown and deleted. */

const wantedSource = anyText.describe('Path of the source, relative to the project.');

export const sourcesRequest = z.object({
  projectPath,
  sourceType: sourceType.describe('Only sources of this type.').exactOptional(),
});

export type SourcesRequest = Request<typeof sourcesRequest>;

export const deleteSourceRequest = z.object({ projectPath, sourceFile: wantedSource });

export type DeleteSourceRequest = Request<typeof deleteSourceRequest>;

export const linesRequest = z.object({
  projectPath,
  sourceFile: wantedSource.describe(
    'Path of the source, relative to the project; "path:12-20" or "path:12" names lines, too.',
  ),
  from: inQuery(line).describe('First line, from 1; default 1.').exactOptional(),
  to: inQuery(line).describe('Last line; default: the end of the file.').exactOptional(),
});

export type LinesRequest = Request<typeof linesRequest>;

export const chunkRequest = z.object({ projectPath, id: anyText.describe('Id of the chunk.') });

export type ChunkRequest = Request<typeof chunkRequest>;

/** For callers in this process. */
export const placesRequest = z.object({ projectPath, ids: texts() });

export type PlacesRequest = Request<typeof placesRequest>;

const id = z.string().describe('Id of the chunk.');
const sourceFile = z.string().describe('Path of the source, relative to the project, with "/".');

/** A file that is skipped or read in part, and the reason. */
const skippedSources = list(
  named('SkippedSource', 'A file that is there but is not read, or not in full.', {
    sourceFile: z
      .string()
      .describe('Path relative to the project, of a folder with "/" at its end; or a pattern.'),
    reason: z.string().describe('Why the file, or a part of it, is not used.'),
    isRead: z
      .literal(true)
      .optional()
      .describe('Only if the file is indexed, and a part such as its frontmatter is not used.'),
  }),
  'Skipped files, files that are read in part, and patterns without a match.',
);

/** A file or folder that exists but was not read, or a pattern that can match nothing. */
export type SkippedSource = Answer<typeof skippedSources>[number];

export const sourcesResponse = z.object({
  sources: list(
    named('Source', 'A source of a project, and its chunks in the index.', {
      sourceFile,
      sourceType: storedType,
      chunks: count('Number of its chunks.'),
      bytes: count('Size of its file; 0 if it does not exist or may not be read.'),
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

export type SourceOverview = Answer<typeof sourcesResponse>;

export const deletedSource = z.object({
  deleted: count('Number of chunks that were deleted.'),
  returns: z
    .literal(true)
    .optional()
    .describe('Only if the file is still there: the next ingestion indexes it again.'),
});

export type SourceDeletion = Answer<typeof deletedSource>;

export const reindexResponse = z.object({
  indexed: count('Number of files with chunks in the index.'),
  skipped: skippedSources,
  removed: count('Number of sources that are gone and were removed.'),
});

/** The result of an ingestion, in files. */
export type IngestionReport = Answer<typeof reindexResponse>;

export const ingestedResponse = z.object({
  indexed: z.int().min(0).describe('Number of files of this kind that the index now holds.'),
});

export const linesResponse = z.object({
  sourceFile,
  from: z.int().min(1).describe('First line of the text.'),
  to: count('Last line of the text.'),
  lines: count('Number of lines of the source.'),
  text: z.string().describe('The lines.'),
  ...noteReport,
  ...sessionReport,
});

export type SourceLines = Answer<typeof linesResponse>;

export const chunkResponse = z.object({
  chunk: fullChunk.describe('The chunk.'),
  questions: z.array(z.string()).describe('The questions that the chunk answers; may be empty.'),
  neighbours: list(
    named('ChunkNeighbour', 'A chunk with a similar meaning.', {
      ...{ id, sourceFile, heading, title },
      cosine: z.number().describe('Similarity, from -1 to 1.'),
    }),
    'At most 10 other chunks, nearest first; empty while the chunk has no vector.',
  ),
  supersededBy: z
    .string()
    .optional()
    .describe('Id of the note that supersedes the note of this chunk; otherwise absent.'),
  line: count('Where it begins in its file, from 1; absent where that is not known.').optional(),
  ...noteReport,
  ...saidReport,
  ...citationReport,
});

export const staleResponse = z.object({
  chunks: list(z.object({ id, sourceFile, heading, title, citations }), 'Sorted by id.'),
});

export type StaleChunks = Answer<typeof staleResponse>;
