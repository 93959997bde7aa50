import { readPlain } from '../query/query.js';
import { EQUAL_RELEVANCE, EVEN_ODDS, relevanceTo } from './relevance.js';
import { distinctTexts } from './scored-chunk.js';
import type { SearchResult } from './search.js';

/**
 * Merges two lists; each keeps its order. A result of the second list precedes one of the first only if it is clearly
 * more relevant.
 * @param rate returns the relevance of a result
 */
export function preferringFirst<Result>(
  first: readonly Result[],
  second: readonly Result[],
  rate: (result: Result) => number,
): readonly Result[] {
  const [left, right] = [bestOfRest(first.map(rate)), bestOfRest(second.map(rate))];
  const merged: Result[] = [];
  let next = 0;
  for (const [i, result] of first.entries()) {
    const limit = (left[i] ?? 0) + EQUAL_RELEVANCE;
    const end = right.findIndex((relevance, place) => place >= next && relevance <= limit);
    const before = second.slice(next, end === -1 ? second.length : end);
    merged.push(...before, result);
    next += before.length;
  }
  return [...merged, ...second.slice(next)];
}

/**
 * Merges the results of a project and of the user's notes; each list keeps its order. A user note comes first only if
 * it is clearly more relevant. If no vectors were compared, relevance is the share of common words.
 */
export function withUserResults<Result extends SearchResult>(
  own: readonly Result[],
  ofUser: readonly Result[],
  text: string,
): readonly Result[] {
  const byWords = relevanceTo(readPlain(text));
  const rate = ({ chunk, relevance }: SearchResult) => relevance ?? byWords({ chunk });
  return distinctTexts(preferringFirst(own, ofUser, rate));
}

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
export function mergeResults(projects: readonly ProjectResults[]): readonly ProjectResult[] {
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

/** For each place, the highest value there or later. */
function bestOfRest(values: readonly number[]): readonly number[] {
  let best = Number.NEGATIVE_INFINITY;
  const fromTheEnd = values.toReversed().map((value) => {
    best = Math.max(best, value);
    return best;
  });
  return fromTheEnd.toReversed();
}
