import { bestOfRest } from './preferred-results.js';
import { EVEN_ODDS } from './relevance.js';
import { distinctTexts } from './scored-chunk.js';
import type { SearchResult } from './search.js';

export interface ProjectResult extends SearchResult {
  readonly projectPath: string;
}

export interface ProjectResults {
  readonly projectPath: string;
  /** In the order of the project. */
  readonly results: readonly SearchResult[];
}

/**
 * The results of several projects as one list, by relevance, the only number that can be compared between projects.
 * Each project keeps its own order, which knows more than that number: a result is taken to be at least as relevant as
 * those that its project ranks after it, and the list says so. A result whose relevance is unknown, because nothing was
 * ranked by vectors, counts as likely as not. Projects that are equal take turns: the first of each, then the second of
 * each. The same text is there once, as `distinctTexts` says.
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
