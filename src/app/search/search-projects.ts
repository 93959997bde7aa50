import { KnowledgeError, reasonOf } from '../../domain/errors.js';
import { DEFAULT_MAX_RESULTS, DEFAULT_MAX_TOKENS } from '../../domain/limits.js';
import { withinBudget } from '../../domain/ranking/budget.js';
import {
  mergedResults,
  type ProjectResult,
  type ProjectResults,
} from '../../domain/ranking/merged-results.js';
import { relevantAmong } from '../../domain/ranking/relevance.js';
import type { SearchRequest } from '../../domain/search.js';
import type { ProjectsSearch, SkippedProject } from '../../ports/driving/projects-search.js';
import type { SearchService } from '../../ports/driving/search-service.js';
import { checkArguments } from '../arguments.js';

type Searches = Pick<SearchService, 'search' | 'countRetrievals'>;

/** Searches several projects by one call each, side by side, and merges what they return. */
export function createProjectsSearch(store: Searches): ProjectsSearch {
  return {
    searchProjects: async (projectPaths, query, options = {}) => {
      checkArguments({ projectPaths, query, options }, options);
      const { maxResults = DEFAULT_MAX_RESULTS, maxTokens = DEFAULT_MAX_TOKENS } = options;
      const searchOne = searchIn(store, query, options);
      const found = await Promise.all([...new Set(projectPaths)].map(searchOne));
      const merged = mergedResults(found.flatMap((one) => ('results' in one ? one : [])));
      const relevant =
        options.irrelevant === 'hidden'
          ? relevantAmong(merged, ({ relevance }) => relevance)
          : merged;
      const { kept, usedTokens } = withinBudget(relevant, { maxResults, maxTokens });
      if (options.retrievals !== 'uncounted') await count(store, kept);
      const skipped = found.flatMap((one) => ('reason' in one ? one : []));
      return { results: kept, totalTokens: usedTokens, skipped };
    },
  };
}

/** @throws KnowledgeError `invalid_request`: what is wrong with the call is not a fault of the project */
function searchIn({ search }: Searches, query: string, options: SearchRequest) {
  const uncounted = {
    ...options,
    retrievals: 'uncounted',
    context: false,
    copies: 'hidden',
  } as const;
  return async (projectPath: string): Promise<ProjectResults | SkippedProject> => {
    try {
      const { results } = await search(projectPath, query, uncounted);
      return { projectPath, results };
    } catch (error) {
      if (!(error instanceof KnowledgeError) || error.code === 'invalid_request') throw error;
      return { projectPath, reason: reasonOf(error) };
    }
  };
}

/** A search does not fail because retrievals cannot be counted. */
async function count(store: Searches, results: readonly ProjectResult[]): Promise<void> {
  const ids = new Map<string, string[]>();
  for (const { projectPath, chunk } of results) {
    ids.set(projectPath, [...(ids.get(projectPath) ?? []), chunk.id]);
  }
  const counting = [...ids].map(([projectPath, own]) => store.countRetrievals(projectPath, own));
  await Promise.allSettled(counting);
}
