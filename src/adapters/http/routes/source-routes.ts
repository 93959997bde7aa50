import * as z from 'zod';
import { FIELDS } from '../../../domain/fields.js';
import {
  anyText,
  count,
  oneOf,
  projectPath,
  projectRequest,
  wholeText,
} from '../../../schemas/fields.js';
import { chunkOf } from '../../../schemas/results.js';
import {
  chunkListResponse,
  chunkResponse,
  linesResponse,
  mapResponse,
  skippedSources,
  sourcesResponse,
  staleResponse,
  surveyResponse,
} from '../../../schemas/sources.js';
import { route } from './route.js';

const sourceFile = anyText.describe('Path of the source, relative to the project.');
const sourceType = oneOf(FIELDS.sourceType);
const line = wholeText(FIELDS.line);

/** What the index holds: to read again, to look at and to delete (docs/api.md, "Extensions of the hybrid variant"). */
export const sourceRoutes = [
  route('POST /api/knowledge/x/reindex', {
    summary: 'Reads all sources of a project again, and reports what was skipped.',
    request: projectRequest,
    response: z.object({
      indexed: count('Number of files of which the index now holds chunks.'),
      skipped: skippedSources,
      removed: count('Number of sources that are gone and were removed.'),
    }),
    handle: ({ store }, { projectPath }) => store.readAllSources(projectPath),
  }),
  route('GET /api/knowledge/x/sources', {
    summary: 'Lists the sources of a project, and what is not read.',
    request: z.object({
      projectPath,
      sourceType: sourceType.describe('Only sources of this type.').exactOptional(),
    }),
    response: sourcesResponse,
    handle: ({ sources }, { projectPath, sourceType }) =>
      sources.listSources(projectPath, sourceType),
  }),
  route('DELETE /api/knowledge/x/sources', {
    operationId: 'deleteSource',
    summary: 'Deletes the chunks of a source; the file of a note, page or digest goes with them.',
    request: z.object({ projectPath, sourceFile }),
    response: z.object({
      deleted: count('Number of chunks that were deleted.'),
      returns: z
        .literal(true)
        .optional()
        .describe('Only if the file is still there: the next ingestion indexes it again.'),
    }),
    errors: ['not_found'],
    handle: ({ sources }, { projectPath, sourceFile }) =>
      sources.deleteSource(projectPath, sourceFile),
  }),
  route('GET /api/knowledge/x/chunks/{id}', {
    operationId: 'chunk',
    summary: 'Returns a chunk, its questions and its neighbours. Does not count as a retrieval.',
    request: z.object({ projectPath, id: anyText.describe('Id of the chunk.') }),
    response: chunkResponse,
    errors: ['not_found'],
    handle: async ({ sources }, { projectPath, id }) => {
      const { chunk, ...details } = await sources.getChunk(projectPath, id);
      return { ...details, chunk: chunkOf(chunk) };
    },
  }),
  route('GET /api/knowledge/x/lines', {
    summary: 'Returns lines of a source. Does not count as a retrieval.',
    request: z.object({
      projectPath,
      sourceFile,
      from: line.describe('First line, from 1; default 1.').exactOptional(),
      to: line.describe('Last line; default: that of the file.').exactOptional(),
    }),
    response: linesResponse,
    errors: ['not_found'],
    handle: ({ sources }, { projectPath, sourceFile, from, to }) =>
      sources.readLines(projectPath, sourceFile, { from, to }),
  }),
  route('GET /api/knowledge/x/stale', {
    summary: 'Lists the chunks that cite files which have changed or are gone.',
    request: projectRequest,
    response: staleResponse,
    handle: async ({ citations }, { projectPath }) => ({
      chunks: await citations.staleChunks(projectPath),
    }),
  }),
  route('GET /api/knowledge/x/chunks', {
    summary: 'Lists the chunks of a project in an order, without their texts.',
    request: z.object({
      projectPath,
      order: oneOf(FIELDS.order).describe('Default "source".').exactOptional(),
      sourceType: sourceType.describe('Only chunks of this type.').exactOptional(),
      sourceFile: anyText.describe('Only chunks of this source.').exactOptional(),
      limit: wholeText(FIELDS.limit).describe('Entries of the page; default 50.').exactOptional(),
      offset: wholeText(FIELDS.offset)
        .describe('Entries before the page; default 0.')
        .exactOptional(),
    }),
    response: chunkListResponse,
    handle: ({ overview }, { projectPath, ...options }) =>
      overview.listChunks(projectPath, options),
  }),
  route('GET /api/knowledge/x/survey', {
    summary: 'Counts the chunks of a project by type, size and last retrieval.',
    request: projectRequest,
    response: surveyResponse,
    handle: ({ overview }, { projectPath }) => overview.surveyChunks(projectPath),
  }),
  route('GET /api/knowledge/x/map', {
    summary: 'Returns chunks as points of a plane: near ones have similar meanings.',
    request: z.object({
      projectPath,
      points: wholeText(FIELDS.points)
        .describe('Size of the sample; default 1000.')
        .exactOptional(),
    }),
    response: mapResponse,
    handle: ({ overview }, { projectPath, points }) => overview.mapChunks(projectPath, points),
  }),
];
