import { projectRequest } from '../../schemas/fields.js';
import { keywordRequest, keywordResponse } from '../../schemas/search.js';
import { keywordStatsResponse } from '../../schemas/stats.js';
import type { Service } from '../service/service.js';
import { type Route, route } from './route.js';

/** The API of the search-only variant. */
export function searchOnlyApi(service: Service): readonly Route[] {
  return searchOnlyRoutes.map(({ servedBy }) => servedBy(service));
}

const readStats = async ({ status }: Service, request: { readonly projectPath: string }) => {
  const { sourceTypeBreakdown, ...stats } = await status.stats(request);
  return {
    success: true as const,
    stats: { ...stats, sourceTypeBreakdown: { url: 0, ...sourceTypeBreakdown } },
  };
};

/** The three routes of the variant (docs/api.md, "Search-only variant"). */
const searchOnlyRoutes = [
  route('POST /api/knowledge/search', {
    summary: 'Finds chunks by keyword, best first.',
    request: keywordRequest,
    response: keywordResponse,
    handle: async ({ search }, request) => {
      const { results } = await search.search({ ...request, neverIndexed: 'leave' });
      return { success: true as const, results };
    },
  }),
  route('POST /api/knowledge/stats', {
    summary: "Returns statistics of a project's store.",
    request: projectRequest,
    response: keywordStatsResponse,
    handle: readStats,
  }),
  route('POST /api/knowledge/rebuild', {
    summary: 'Reads all sources of a project again, rebuilds its index and returns its statistics.',
    request: projectRequest,
    response: keywordStatsResponse,
    handle: async (service, request) => {
      await service.indexing.rebuild(request);
      return readStats(service, request);
    },
  }),
];
