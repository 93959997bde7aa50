import * as z from 'zod';
import type { KnowledgeStore } from '../../../ports/driving/knowledge-store.js';
import { projectRequest, searchFields } from '../../../schemas/fields.js';
import { fullResult, resultsOf } from '../../../schemas/results.js';
import { searchOnlyStats } from '../../../schemas/stats.js';
import { type Route, route } from './route.js';

/** The three routes of the search-only variant (docs/specification.md, "HTTP interface"). */
export function searchOnlyApi({ store }: SearchOnlyServices): readonly Route[] {
  return [searchRoute(store), statsRoute(store), rebuildRoute(store)];
}

export interface SearchOnlyServices {
  readonly store: KnowledgeStore;
}

const SUCCESS = { success: true } as const;

const success = z.literal(true).describe('Always true.');

const statsResponse = z.object({
  success,
  stats: searchOnlyStats.describe("Statistics of the project's store."),
});

function searchRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/search',
    summary: 'Finds chunks by keyword, best first.',
    request: z.object(searchFields),
    response: z.object({
      success,
      results: z.array(fullResult).describe('The chunks that were found, best first.'),
    }),
    handle: async ({ projectPath, query, ...options }, setHeader) => {
      const found = await store.search(projectPath, query, options);
      setHeader('Knowledge-Indexing', found.indexing);
      return { ...SUCCESS, results: resultsOf(found.results) };
    },
  });
}

function statsRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/stats',
    summary: "Returns statistics of a project's store.",
    request: projectRequest,
    response: statsResponse,
    handle: async ({ projectPath }) => ({ ...SUCCESS, stats: await store.getStats(projectPath) }),
  });
}

function rebuildRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/rebuild',
    summary: 'Reads all sources of a project again, rebuilds its index and returns its statistics.',
    request: projectRequest,
    response: statsResponse,
    handle: async ({ projectPath }) => {
      await store.reindex(projectPath);
      return { ...SUCCESS, stats: await store.getStats(projectPath) };
    },
  });
}
