import { projectRequest } from '../../schemas/fields.js';
import {
  chunkListRequest,
  chunkListResponse,
  projectHistoryRequest,
  projectHistoryResponse,
} from '../../schemas/overview.js';
import { sessionsRequest, sessionsResponse } from '../../schemas/sessions.js';
import {
  chunkRequest,
  chunkResponse,
  deletedSource,
  deleteSourceRequest,
  linesRequest,
  linesResponse,
  reindexResponse,
  sourcesRequest,
  sourcesResponse,
  staleResponse,
} from '../../schemas/sources.js';
import { route } from './route.js';

/** Sources, chunks, sessions and recent projects (docs/api.md, "Extensions of the hybrid variant"). */
export const sourceRoutes = [
  route('POST /api/knowledge/x/reindex', {
    summary: 'Indexes new and changed sources, and reports skipped ones.',
    request: projectRequest,
    response: reindexResponse,
    handle: ({ indexing }, request) => indexing.ingest(request),
  }),
  route('GET /api/knowledge/x/sources', {
    summary: 'Lists the sources of a project, and skipped files.',
    request: sourcesRequest,
    response: sourcesResponse,
    handle: ({ sources }, request) => sources.list(request),
  }),
  route('DELETE /api/knowledge/x/sources', {
    operationId: 'deleteSource',
    summary: 'Deletes the chunks of a source, and the file of a note, page, document or digest.',
    request: deleteSourceRequest,
    response: deletedSource,
    errors: ['not_found'],
    handle: ({ sources }, request) => sources.delete(request),
  }),
  route('GET /api/knowledge/x/chunks/{id}', {
    operationId: 'chunk',
    summary: 'Returns a chunk, its questions and its neighbours. Does not count as a retrieval.',
    request: chunkRequest,
    response: chunkResponse,
    errors: ['not_found'],
    handle: ({ sources }, request) => sources.chunk(request),
  }),
  route('GET /api/knowledge/x/lines', {
    summary: 'Returns lines of a source. Does not count as a retrieval.',
    request: linesRequest,
    response: linesResponse,
    errors: ['not_found'],
    handle: ({ sources }, request) => sources.lines(request),
  }),
  route('GET /api/knowledge/x/stale', {
    summary: 'Lists the chunks whose cited files have changed or are gone.',
    request: projectRequest,
    response: staleResponse,
    handle: async ({ stale }, request) => ({ chunks: await stale.list(request) }),
  }),
  route('GET /api/knowledge/x/projects', {
    summary: 'Lists the projects that this user has opened, most recently opened first.',
    request: projectHistoryRequest,
    response: projectHistoryResponse,
    handle: ({ recentProjects }, request) => recentProjects.list(request),
  }),
  route('GET /api/knowledge/x/chunks', {
    summary: 'Lists the chunks of a project in the requested order, without their texts.',
    request: chunkListRequest,
    response: chunkListResponse,
    handle: ({ chunkLists }, request) => chunkLists.list(request),
  }),
  route('GET /api/knowledge/x/sessions', {
    summary: 'Lists the agent sessions kept as files, newest first.',
    request: sessionsRequest,
    response: sessionsResponse,
    handle: ({ sessions }, request) => sessions.list(request),
  }),
];
