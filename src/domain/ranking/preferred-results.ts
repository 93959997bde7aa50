import { EQUAL_RELEVANCE } from './relevance.js';

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

/** For each place, the highest value there or later. */
export function bestOfRest(values: readonly number[]): readonly number[] {
  let best = Number.NEGATIVE_INFINITY;
  const fromTheEnd = values.toReversed().map((value) => {
    best = Math.max(best, value);
    return best;
  });
  return fromTheEnd.toReversed();
}
