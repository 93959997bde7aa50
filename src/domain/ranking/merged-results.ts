import type { SearchResult } from '../search.js';
import { distinctTexts } from './scored-chunk.js';

export interface ProjectResult extends SearchResult {
  readonly projectPath: string;
}

export interface ProjectResults {
  readonly projectPath: string;
  /** In the order of the project. */
  readonly results: readonly SearchResult[];
}

/**
 * The results of several projects as one list. Each project keeps its own order; which project comes next depends on the
 * best relevance among its results that are left, the only number that can be compared between projects. A result whose relevance
 * is unknown, because nothing was ranked by vectors, counts as likely as not. Projects that are equal take turns: the first of each,
 * then the second of each. The same text is there once, as `distinctTexts` says.
 */
export function mergedResults(projects: readonly ProjectResults[]): readonly ProjectResult[] {
  const ranked = projects
    .flatMap(({ projectPath, results }) => {
      const bestLeft = bestOfRest(results.map(({ relevance = EVEN_ODDS }) => relevance));
      return results.map((result, rank) => ({
        rank,
        best: bestLeft[rank] ?? EVEN_ODDS,
        result: { projectPath, ...result },
      }));
    })
    .toSorted((a, b) => b.best - a.best || a.rank - b.rank);
  return distinctTexts(ranked.map(({ result }) => result));
}

const EVEN_ODDS = 0.5;

/** For each place, the highest value there or later. */
function bestOfRest(values: readonly number[]): readonly number[] {
  const best = [...values];
  for (let place = best.length - 2; place >= 0; place -= 1) {
    best[place] = Math.max(best[place] ?? 0, best[place + 1] ?? 0);
  }
  return best;
}
