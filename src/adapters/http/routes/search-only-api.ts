import { z } from 'zod';
import type { KnowledgeStore } from '../../../ports/driving/knowledge-store.js';
import {
  maxResults,
  maxTokens,
  projectPath,
  projectRequest,
  sourceTypes,
  text,
} from '../schemas/fields.js';
import { resultOf, statsOf } from '../schemas/search-only-bodies.js';
import { type Route, route } from './route.js';

/** The three routes of the search-only variant (specification, "Endpoints"). */
export function searchOnlyApi({ store }: SearchOnlyServices): readonly Route[] {
  return [searchRoute(store), statsRoute(store), rebuildRoute(store)];
}

export interface SearchOnlyServices {
  readonly store: KnowledgeStore;
}

const searchRequest = z.object({
  projectPath,
  query: text.describe(
    'FTS5 query: phrases in double quotes, AND, OR, NOT, a trailing *; or any text.',
  ),
  maxResults: maxResults.exactOptional(),
  maxTokens: maxTokens.exactOptional(),
  sourceTypes: sourceTypes.exactOptional(),
});

function searchRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/search',
    summary: 'Searches the knowledge of a project, best first.',
    request: searchRequest,
    answer: async ({ projectPath, query, ...options }) => {
      const { results } = await store.search(projectPath, query, options);
      return { success: true, results: results.map(resultOf) };
    },
  });
}

function statsRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/stats',
    summary: 'Says what the store of a project holds.',
    request: projectRequest,
    answer: async ({ projectPath }) => {
      await store.initialize(projectPath);
      return { success: true, stats: statsOf(await store.getStats(projectPath)) };
    },
  });
}

function rebuildRoute(store: KnowledgeStore): Route {
  return route({
    method: 'POST',
    path: '/api/knowledge/rebuild',
    summary:
      'Reads the sources of a project again, rebuilds its index and says what it holds then.',
    request: projectRequest,
    answer: async ({ projectPath }) => {
      await store.reindex(projectPath);
      return { success: true, stats: statsOf(await store.getStats(projectPath)) };
    },
  });
}
