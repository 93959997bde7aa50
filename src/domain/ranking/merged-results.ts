import { bestOfRest } from './preferred-results.js';
import { EVEN_ODDS } from './relevance.js';
import { distinctTexts } from './scored-chunk.js';
import type { SearchResult } from './search.js';

export interface ProjectResult extends SearchResult {
  readonly projectPath: string;
}

export interface ProjectResults {
  readonly projectPath: string;
  /** In the project's own order. */
  readonly results: readonly SearchResult[];
}

/**
 * Merges the results of several projects by relevance, the only number comparable between projects. Each project keeps
 * its own order, which is more accurate: each result is reported to be at least as relevant as those that its project
 * ranks after it. An unknown relevance, because nothing was ranked by vectors, counts as 0.5. On ties, projects take
 * turns: the first result of each, then the second. Duplicate texts are removed, as by `distinctTexts`.
 */
export function mergedResults(projects: readonly ProjectResults[]): readonly ProjectResult[] {
  const ranked = projects
    .flatMap(({ projectPath, results }) => {
      const bestLeft = bestOfRest(results.map(({ relevance = EVEN_ODDS }) => relevance));
      return results.map((result, rank) => {
        const best = bestLeft[rank] ?? EVEN_ODDS;
        const relevance = result.relevance !== undefined && { relevance: best };
        return { rank, best, result: { projectPath, ...result, ...relevance } };
      });
    })
    .toSorted((a, b) => b.best - a.best || a.rank - b.rank);
  return distinctTexts(ranked.map(({ result }) => result));
}
