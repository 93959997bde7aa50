import * as z from 'zod';
import { projectRequest, searchFields } from '../../../schemas/fields.js';
import { fullResult, resultsOf } from '../../../schemas/results.js';
import { searchOnlyStats } from '../../../schemas/stats.js';
import { type Route, type RouteServices, route } from './route.js';

/** The API of the search-only variant. */
export function searchOnlyApi(services: SearchOnlyServices): readonly Route[] {
  return searchOnlyRoutes.map(({ servedBy }) => servedBy(services));
}

type SearchOnlyServices = Pick<RouteServices, 'store'>;

const SUCCESS = { success: true } as const;

const statsIn = async ({ store }: SearchOnlyServices, projectPath: string) => {
  const { sourceTypeBreakdown, ...stats } = await store.getStats(projectPath);
  return { ...stats, sourceTypeBreakdown: { url: 0, ...sourceTypeBreakdown } };
};

const success = z.literal(true).describe('Always true.');

const statsResponse = z.object({
  success,
  stats: searchOnlyStats.describe("Statistics of the project's store."),
});

/** The three routes of the variant (docs/api.md, "Search-only variant"). */
const searchOnlyRoutes = [
  route('POST /api/knowledge/search', {
    summary: 'Finds chunks by keyword, best first.',
    request: z.object(searchFields),
    response: z.object({
      success,
      results: z.array(fullResult).describe('The chunks that were found, best first.'),
    }),
    handle: async ({ store }: SearchOnlyServices, { projectPath, query, ...options }) => {
      const found = await store.search(projectPath, query, {
        ...options,
        neverIndexed: 'leave',
      });
      return { ...SUCCESS, results: resultsOf(found.results) };
    },
  }),
  route('POST /api/knowledge/stats', {
    summary: "Returns statistics of a project's store.",
    request: projectRequest,
    response: statsResponse,
    handle: async (services: SearchOnlyServices, { projectPath }) => ({
      ...SUCCESS,
      stats: await statsIn(services, projectPath),
    }),
  }),
  route('POST /api/knowledge/rebuild', {
    summary: 'Reads all sources of a project again, rebuilds its index and returns its statistics.',
    request: projectRequest,
    response: statsResponse,
    handle: async (services: SearchOnlyServices, { projectPath }) => {
      await services.store.reindex(projectPath);
      return { ...SUCCESS, stats: await statsIn(services, projectPath) };
    },
  }),
];
