import { distinctTexts } from '../../domain/ranking/scored-chunk.js';
import type { FoundChunks } from '../../domain/ranking/search.js';
import { projectRequest } from '../../schemas/fields.js';
import {
  completeRequest,
  completeResponse,
  lessonsRequest,
  lessonsResponse,
  similarRequest,
  similarResponse,
} from '../../schemas/lessons.js';
import {
  projectsRequest,
  projectsResponse,
  readRequest,
  readResponse,
  searchRequest,
  searchResponse,
} from '../../schemas/search.js';
import { ingestedResponse } from '../../schemas/sources.js';
import { hybridStats } from '../../schemas/stats.js';
import type { Service } from '../service/service.js';
import { type Route, route } from './route.js';
import { savedRoutes } from './saved-routes.js';
import { sourceRoutes } from './source-routes.js';
import { recoveryRoutes, upkeepRoutes } from './upkeep-routes.js';

/** The API of the hybrid variant. */
export function hybridApi(service: Service): readonly Route[] {
  return hybridRoutes.map(({ servedBy }) => servedBy(service));
}

/**
 * Adds `enabledHybridRetrieval`, which is absent in the search-only variant: the command line uses this API there, too.
 */
const readStats = async ({ status }: Service, request: { readonly projectPath: string }) => ({
  enabledHybridRetrieval: false,
  ...(await status.stats(request)),
});

const searchRoutes = [
  route('POST /api/knowledge/search', {
    summary: 'Finds chunks by keyword and meaning, best first.',
    repeats: 'safely',
    request: searchRequest,
    response: searchResponse,
    handle: async ({ search }, { counted, ...request }) => {
      const uncounted = counted === false && ({ retrievals: 'uncounted' } as const);
      const asked = { ...request, ...uncounted, neverIndexed: 'leave' } as const;
      if (!request.explain) return toAnswer(await search.search(asked));
      const found = await search.answer(asked);
      return { ...toAnswer(found), explain: found.explanation };
    },
  }),
  route('GET /api/knowledge/stats', {
    summary: "Returns statistics of a project's store.",
    request: projectRequest,
    response: hybridStats,
    handle: readStats,
  }),
  route('POST /api/knowledge/rebuild', {
    summary: 'Reads all sources of a project again, rebuilds its index and returns its statistics.',
    request: projectRequest,
    response: hybridStats,
    handle: async (service, request) => {
      await service.indexing.rebuild(request);
      return readStats(service, request);
    },
  }),
  route('POST /api/knowledge/ingest/reflections', {
    summary: 'Indexes the reflections of all features of a project.',
    request: projectRequest,
    response: ingestedResponse,
    handle: async ({ indexing }, request) => ({
      indexed: await indexing.group(request, 'reflections'),
    }),
  }),
  route('POST /api/knowledge/ingest/agent-outputs', {
    summary: "Indexes the end of each agent output in a project's features.",
    request: projectRequest,
    response: ingestedResponse,
    handle: async ({ indexing }, request) => ({
      indexed: await indexing.group(request, 'agentOutputs'),
    }),
  }),
  route('POST /api/knowledge/x/search', {
    operationId: 'find',
    summary: 'Finds chunks for people and agents, best first, without weak results.',
    repeats: 'safely',
    request: readRequest,
    response: readResponse,
    handle: async ({ search, sources }, request) => {
      const retrievals = request.counted === false ? 'uncounted' : 'counted';
      const found = await search.read({ ...request, retrievals });
      const results = await sources.located(request.projectPath, found.results);
      const { weak, leftOut, explanation: explain } = found;
      const { retrieval_mode, totalTokens } = toAnswer(found);
      const answer = { results, weak, leftOut, retrieval_mode, totalTokens };
      return request.explain ? { ...answer, explain } : answer;
    },
  }),
  route('POST /api/knowledge/x/search-projects', {
    summary: 'Finds chunks in several projects at once, most relevant first.',
    repeats: 'safely',
    request: projectsRequest,
    response: projectsResponse,
    errors: ['store_unavailable', 'overloaded'],
    handle: ({ projectsSearch }, request) => projectsSearch.search(request),
  }),
];

function toAnswer({ results, retrievalMode, totalTokens }: FoundChunks) {
  return { results, retrieval_mode: retrievalMode, totalTokens };
}

/** Lessons from earlier features, and similar chunks (docs/api.md, "Extensions of the hybrid variant"). */
const lessonRoutes = [
  route('POST /api/knowledge/x/lessons', {
    summary: 'Returns lessons from earlier features for a feature that is about to begin.',
    repeats: 'safely',
    request: lessonsRequest,
    response: lessonsResponse,
    errors: ['not_found'],
    handle: ({ lessons }, request) => lessons.find(request),
  }),
  route('POST /api/knowledge/x/similar', {
    summary: 'Finds chunks similar to a text. Does not count as a retrieval.',
    repeats: 'safely',
    request: similarRequest,
    response: similarResponse,
    handle: async ({ search }, request) => {
      const { results } = await search.similar(request);
      return { results: distinctTexts(results) };
    },
  }),
  route('POST /api/knowledge/x/features/complete', {
    summary: 'Extracts the lessons of a finished feature into the memory categories.',
    request: completeRequest,
    response: completeResponse,
    errors: ['not_found', 'model_unavailable'],
    handle: async ({ completion }, request) => {
      const { lessons, ...report } = await completion.complete(request);
      return { learnings: lessons, ...report };
    },
  }),
];

/** The five specified routes, then the extensions under `/api/knowledge/x` (docs/api.md, "Hybrid variant"). */
export const hybridRoutes = [
  ...searchRoutes,
  ...lessonRoutes,
  ...upkeepRoutes,
  ...savedRoutes,
  ...sourceRoutes,
  ...recoveryRoutes,
];
