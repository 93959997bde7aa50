import * as z from 'zod';
import type { SearchAnswer } from '../../../domain/search.js';
import type { StatusService } from '../../../ports/driving/status-service.js';
import { projectPaths, projectRequest } from '../../../schemas/fields.js';
import { searchRequest } from '../../../schemas/requests.js';
import { resultsOf } from '../../../schemas/results.js';
import { explainResponse, projectsResponse, searchResponse } from '../../../schemas/search.js';
import { hybridStats } from '../../../schemas/stats.js';
import { lessonRoutes } from './lesson-routes.js';
import { type Route, type RouteServices, route } from './route.js';
import { savedRoutes } from './saved-routes.js';
import { sourceRoutes } from './source-routes.js';
import { recoveryRoutes, upkeepRoutes } from './upkeep-routes.js';

/** The API of the hybrid variant. */
export function hybridApi(services: RouteServices): readonly Route[] {
  return hybridRoutes.map(({ servedBy }) => servedBy(services));
}

/** The command line serves this API in the search-only variant, too. */
const statsIn = async ({ getStats }: Pick<StatusService, 'getStats'>, projectPath: string) => ({
  enabledHybridRetrieval: false,
  ...(await getStats(projectPath)),
});

const indexed = z.object({
  indexed: z.int().min(0).describe('Number of files of this kind that the index now holds.'),
});

const { explain: _, copies: ____, ...unexplained } = searchRequest.shape;
const { projectPath: __, context: ___, ...acrossProjects } = unexplained;

const searches = [
  route('POST /api/knowledge/search', {
    summary: 'Finds chunks by keyword and meaning, best first.',
    request: searchRequest,
    response: searchResponse,
    handle: async ({ store }, { projectPath, query, explain, ...options }) => {
      const asked = { ...options, neverIndexed: 'leave' } as const;
      const found = await store.search(projectPath, query, asked);
      return { ...answerOf(found), explain: explain === true ? found.explanation : undefined };
    },
  }),
  route('GET /api/knowledge/stats', {
    summary: "Returns statistics of a project's store.",
    request: projectRequest,
    response: hybridStats,
    handle: ({ store }, { projectPath }) => statsIn(store, projectPath),
  }),
  route('POST /api/knowledge/rebuild', {
    summary: 'Reads all sources of a project again, rebuilds its index and returns its statistics.',
    request: projectRequest,
    response: hybridStats,
    handle: async ({ store }, { projectPath }) => {
      await store.reindex(projectPath);
      return statsIn(store, projectPath);
    },
  }),
  route('POST /api/knowledge/ingest/reflections', {
    summary: 'Indexes the reflections of all features of a project.',
    request: projectRequest,
    response: indexed,
    handle: async ({ store }, { projectPath }) => ({
      indexed: await store.ingestReflections(projectPath),
    }),
  }),
  route('POST /api/knowledge/ingest/agent-outputs', {
    summary: 'Indexes the end of each agent output of all features of a project.',
    request: projectRequest,
    response: indexed,
    handle: async ({ store }, { projectPath }) => ({
      indexed: await store.ingestAgentOutputs(projectPath),
    }),
  }),
  route('POST /api/knowledge/x/explain', {
    summary: 'Searches as search does, and explains it. Does not count as a retrieval.',
    request: z.object(unexplained),
    response: explainResponse,
    handle: async ({ store }, { projectPath, query, ...options }) => {
      const uncounted = { ...options, retrievals: 'uncounted', copies: 'hidden' } as const;
      const found = await store.search(projectPath, query, uncounted);
      return { ...answerOf(found), explain: found.explanation };
    },
  }),
  route('POST /api/knowledge/x/search-projects', {
    summary: 'Finds chunks in several projects at once, most relevant first.',
    request: z.object({ projectPaths, ...acrossProjects }),
    response: projectsResponse,
    errors: ['store_unavailable', 'overloaded'],
    handle: async ({ across }, { projectPaths, query, ...options }) => {
      const found = await across.searchProjects(projectPaths, query, options);
      return { ...found, results: resultsOf(found.results) };
    },
  }),
];

function answerOf({ results, retrievalMode, totalTokens }: SearchAnswer) {
  return { results: resultsOf(results), retrieval_mode: retrievalMode, totalTokens };
}

/**
 * The five specified routes, then the extensions under `/api/knowledge/x` (docs/api.md, "Hybrid variant").
 */
export const hybridRoutes = [
  ...searches,
  ...lessonRoutes,
  ...upkeepRoutes,
  ...savedRoutes,
  ...sourceRoutes,
  ...recoveryRoutes,
];
