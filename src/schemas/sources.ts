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

/** Reading, listing, showing and deleting the sources of a project. */

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
    'Path of the source, relative to the project; it may end with lines, as in "path:12-20" or "path:12".',
  ),
  from: inQuery(line).describe('First line, counted from 1; default 1.').exactOptional(),
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
  named('SkippedSource', 'A file that exists but is not read, or only in part.', {
    sourceFile: z
      .string()
      .describe('Path relative to the project (a folder ends with "/"), or a pattern.'),
    reason: z.string().describe('Why all or part of the file is not used.'),
    isRead: z
      .literal(true)
      .optional()
      .describe('Present if the file is indexed, but a part such as its frontmatter is not used.'),
  }),
  'Skipped files, files that are read in part, and patterns without a match.',
);

/** A file or folder that exists but was not read, or only in part; or a pattern that cannot match anything. */
export type SkippedSource = Answer<typeof skippedSources>[number];

export const sourcesResponse = z.object({
  sources: list(
    named('Source', 'A source of a project, and its chunks in the index.', {
      sourceFile,
      sourceType: storedType,
      chunks: count('Number of its chunks.'),
      bytes: count('Size of its file; 0 if the file does not exist or cannot be read.'),
      indexedAt: z
        .string()
        .optional()
        .describe(
          'ISO 8601 time when a chunk of this source was last written; absent if it has no chunks.',
        ),
      retrievals: count('How often its chunks were retrieved.'),
    }),
    'Sorted by source file.',
  ),
  skipped: skippedSources,
});

export type SourceOverview = Answer<typeof sourcesResponse>;

export const deletedSource = z.object({
  deleted: count('Number of deleted chunks.'),
  returns: z
    .literal(true)
    .optional()
    .describe('Present if the file still exists; the next ingestion indexes it again.'),
});

export type SourceDeletion = Answer<typeof deletedSource>;

export const reindexResponse = z.object({
  indexed: count('Number of files with chunks in the index.'),
  skipped: skippedSources,
  removed: count('Number of sources removed because their files are gone.'),
});

/** The result of an ingestion, in numbers of files. */
export type IngestionReport = Answer<typeof reindexResponse>;

export const ingestedResponse = z.object({
  indexed: z.int().min(0).describe('Number of files of this kind now in the index.'),
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
  questions: z.array(z.string()).describe('Questions that the chunk answers; may be empty.'),
  neighbours: list(
    named('ChunkNeighbour', 'A chunk with a similar meaning.', {
      id,
      sourceFile,
      heading,
      title,
      cosine: z.number().describe('Similarity, from -1 to 1.'),
    }),
    'At most 10 other chunks, nearest first; empty while the chunk has no vector.',
  ),
  supersededBy: z
    .string()
    .optional()
    .describe('Id of the note that supersedes the note of this chunk; absent if none does.'),
  line: count('Line on which the chunk begins, counted from 1; absent if unknown.').optional(),
  ...noteReport,
  ...saidReport,
  ...citationReport,
});

export const staleResponse = z.object({
  chunks: list(z.object({ id, sourceFile, heading, title, citations }), 'Sorted by id.'),
});

export type StaleChunks = Answer<typeof staleResponse>;
