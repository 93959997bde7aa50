import * as z from 'zod';
import { FIELDS } from '../../../domain/fields.js';
import type { KnowledgeServices } from '../../../ports/driving/knowledge-services.js';
import type { KnowledgeStore } from '../../../ports/driving/knowledge-store.js';
import type { ProjectsSearch } from '../../../ports/driving/projects-search.js';
import {
  flag,
  includeSuperseded,
  oneOf,
  projectPaths,
  projectRequest,
  searchFields,
  share,
  tags,
} from '../../../schemas/fields.js';
import { resultsOf } from '../../../schemas/results.js';
import { explainResponse, projectsResponse, searchResponse } from '../../../schemas/search.js';
import { hybridStats } from '../../../schemas/stats.js';
import { lessonRoutes } from './lesson-routes.js';
import { overviewRoutes } from './overview-routes.js';
import { recoveryRoutes } from './recovery-routes.js';
import { type Route, route } from './route.js';
import { savedRoutes } from './saved-routes.js';
import { sourceRoutes } from './source-routes.js';
import { upkeepRoutes } from './upkeep-routes.js';

/**
 * The five specified routes, then the extensions under `/api/knowledge/x` (docs/api.md, "Hybrid variant").
 */
export function hybridApi(services: Omit<KnowledgeServices, 'embedder'>): readonly Route[] {
  const { store, recovery } = services;
  return [
    searchRoute(store),
    statsRoute(store),
    rebuildRoute(store),
    ingestReflectionsRoute(store),
    ingestAgentOutputsRoute(store),
    explainRoute(store),
    projectsRoute(services.across),
    ...lessonRoutes(services),
    ...upkeepRoutes(store),
    ...savedRoutes(services),
    ...sourceRoutes(services),
    ...overviewRoutes(services.overview),
    ...recoveryRoutes(recovery),
  ];
}

const searchRequest = z.object({
  ...searchFields,
  tags: tags
    .describe('Only chunks with all of these tags; an empty list filters nothing.')
    .exactOptional(),
  explain: flag.describe('Whether to explain the results; default false.').exactOptional(),
  fusion: oneOf(FIELDS.fusion)
    .describe("How keyword and vector ranking are merged; default: the project's setting.")
    .exactOptional(),
  candidates: oneOf(FIELDS.candidates)
    .describe("Which chunks are ranked; default: the project's setting.")
    .exactOptional(),
  minRelevance: share
    .describe(
      'Leaves out results with a lower relevance; default 0. Without effect in "bm25" mode.',
    )
    .exactOptional(),
  includeSuperseded,
});

const ingestionResponse = z.object({
  indexed: z.int().min(0).describe('Number of files of this kind that the index now holds.'),
});

function searchRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/search',
    summary: 'Finds chunks by keyword and meaning, best first.',
    request: searchRequest,
    response: searchResponse,
    handle: async ({ projectPath, query, explain, ...options }, setHeader) => {
      const found = await store.search(projectPath, query, options);
      setHeader('Knowledge-Indexing', found.indexing);
      return {
        results: resultsOf(found.results),
        retrieval_mode: found.retrievalMode,
        totalTokens: found.totalTokens,
        explain: explain === true ? found.explanation : undefined,
      };
    },
  });
}

/** The search for those who look at how it works: a look is not a retrieval. */
function explainRoute(store: KnowledgeStore): Route {
  const { explain: _, ...request } = searchRequest.shape;
  return route({
    method: 'POST',
    path: '/api/knowledge/x/explain',
    summary: 'Searches as search does, and explains it. Does not count as a retrieval.',
    request: z.object(request),
    response: explainResponse,
    handle: async ({ projectPath, query, ...options }) => {
      const uncounted = { ...options, retrievals: 'uncounted' } as const;
      const found = await store.search(projectPath, query, uncounted);
      return {
        results: resultsOf(found.results),
        retrieval_mode: found.retrievalMode,
        totalTokens: found.totalTokens,
        explain: found.explanation,
      };
    },
  });
}

function projectsRoute(across: ProjectsSearch): Route {
  const { explain: _, projectPath: __, ...request } = searchRequest.shape;
  return route({
    method: 'POST',
    path: '/api/knowledge/x/search-projects',
    summary: 'Finds chunks in several projects at once, most relevant first.',
    request: z.object({ projectPaths, ...request }),
    response: projectsResponse,
    handle: async ({ projectPaths, query, ...options }) => {
      const found = await across.searchProjects(projectPaths, query, options);
      return { ...found, results: resultsOf(found.results) };
    },
  });
}

function statsRoute(store: KnowledgeStore): Route {
  return route({
    method: 'GET',
    path: '/api/knowledge/stats',
    summary: "Returns statistics of a project's store.",
    request: projectRequest,
    response: hybridStats,
    handle: ({ projectPath }) => store.getStats(projectPath),
  });
}

function rebuildRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/rebuild',
    summary: 'Reads all sources of a project again, rebuilds its index and returns its statistics.',
    request: projectRequest,
    response: hybridStats,
    handle: async ({ projectPath }) => {
      await store.reindex(projectPath);
      return store.getStats(projectPath);
    },
  });
}

function ingestReflectionsRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/ingest/reflections',
    summary: 'Indexes the reflections of all features of a project.',
    request: projectRequest,
    response: ingestionResponse,
    handle: async ({ projectPath }) => ({ indexed: await store.ingestReflections(projectPath) }),
  });
}

function ingestAgentOutputsRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/ingest/agent-outputs',
    summary: 'Indexes the end of each agent output of all features of a project.',
    request: projectRequest,
    response: ingestionResponse,
    handle: async ({ projectPath }) => ({ indexed: await store.ingestAgentOutputs(projectPath) }),
  });
}
