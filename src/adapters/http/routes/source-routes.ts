import * as z from 'zod';
import { FIELDS } from '../../../domain/fields.js';
import { wholeNumber as wholeNumberIn } from '../../../domain/value-rule.js';
import type { CitationService } from '../../../ports/driving/citation-service.js';
import type { KnowledgeStore } from '../../../ports/driving/knowledge-store.js';
import type { SourcesService } from '../../../ports/driving/sources-service.js';
import { anyText, oneOf, projectPath, projectRequest, wholeText } from '../../../schemas/fields.js';
import { chunkOf } from '../../../schemas/results.js';
import {
  chunkResponse,
  linesResponse,
  skippedSources,
  sourcesResponse,
  staleResponse,
} from '../../../schemas/sources.js';
import { type Route, route } from './route.js';

/** Reading sources again, looking at them and deleting them (docs/api.md, "Extensions of the hybrid variant"). */
export function sourceRoutes({
  store,
  sources,
  citations,
}: SourceRoutesServices): readonly Route[] {
  return [
    reindexRoute(store),
    listSourcesRoute(sources),
    deleteSourceRoute(sources),
    chunkRoute(sources),
    linesRoute(sources),
    staleRoute(citations),
  ];
}

interface SourceRoutesServices {
  readonly store: KnowledgeStore;
  readonly sources: SourcesService;
  readonly citations: CitationService;
}

function reindexRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/x/reindex',
    summary: 'Reads all sources of a project again, and reports what was skipped.',
    request: projectRequest,
    response: z.object({
      indexed: z.int().min(0).describe('Number of files of which the index now holds chunks.'),
      skipped: skippedSources,
      removed: z.int().min(0).describe('Number of sources that are gone and were removed.'),
    }),
    handle: ({ projectPath }) => store.readAllSources(projectPath),
  });
}

function listSourcesRoute(sources: SourcesService): Route {
  return route({
    method: 'GET',
    path: '/api/knowledge/x/sources',
    summary: 'Lists the sources of a project, and what is not read.',
    request: z.object({
      projectPath,
      sourceType: oneOf(FIELDS.sourceType).describe('Only sources of this type.').exactOptional(),
    }),
    response: sourcesResponse,
    handle: ({ projectPath, sourceType }) => sources.listSources(projectPath, sourceType),
  });
}

function deleteSourceRoute(sources: SourcesService): Route {
  return route({
    method: 'DELETE',
    path: '/api/knowledge/x/sources',
    operationId: 'deleteSource',
    summary: 'Deletes the chunks of a source; the file of a note, page or digest goes with them.',
    request: z.object({
      projectPath,
      sourceFile: anyText.describe('Path of the source, relative to the project.'),
    }),
    response: z.object({
      deleted: z.int().min(0).describe('Number of chunks that were deleted.'),
      returns: z
        .literal(true)
        .optional()
        .describe('Only if the file is still there: the next ingestion indexes it again.'),
    }),
    errors: ['not_found'],
    handle: ({ projectPath, sourceFile }) => sources.deleteSource(projectPath, sourceFile),
  });
}

function linesRoute(sources: SourcesService): Route {
  const line = wholeText(wholeNumberIn({ min: 1, max: 10_000_000 }));
  return route({
    method: 'GET',
    path: '/api/knowledge/x/lines',
    operationId: 'lines',
    summary: 'Returns lines of a source. Does not count as a retrieval.',
    request: z.object({
      projectPath,
      sourceFile: anyText.describe('Path of the source, relative to the project.'),
      from: line.describe('First line, from 1; default 1.').exactOptional(),
      to: line.describe('Last line; default: that of the file.').exactOptional(),
    }),
    response: linesResponse,
    errors: ['not_found'],
    handle: ({ projectPath, sourceFile, from, to }) =>
      sources.readLines(projectPath, sourceFile, { from, to }),
  });
}

function staleRoute(citations: CitationService): Route {
  return route({
    method: 'GET',
    path: '/api/knowledge/x/stale',
    operationId: 'stale',
    summary: 'Lists the chunks that cite files which have changed or are gone.',
    request: projectRequest,
    response: staleResponse,
    handle: async ({ projectPath }) => ({ chunks: await citations.staleChunks(projectPath) }),
  });
}

function chunkRoute(sources: SourcesService): Route {
  return route({
    method: 'GET',
    path: '/api/knowledge/x/chunks/{id}',
    operationId: 'chunk',
    summary: 'Returns a chunk, its questions and its neighbours. Does not count as a retrieval.',
    request: z.object({ projectPath, id: anyText.describe('Id of the chunk.') }),
    response: chunkResponse,
    errors: ['not_found'],
    handle: async ({ projectPath, id }) => {
      const { chunk, ...details } = await sources.getChunk(projectPath, id);
      return { ...details, chunk: chunkOf(chunk) };
    },
  });
}
