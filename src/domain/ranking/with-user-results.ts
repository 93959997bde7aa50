import { readPlain } from '../query/query.js';
import type { SearchResult } from '../search.js';
import { EQUAL_RELEVANCE, relevanceTo } from './relevance.js';
import { distinctTexts } from './scored-chunk.js';

/**
 * What a project and the notes of the user hold, as one list. Both keep their own order. A result of the user comes first
 * only where it is clearly more relevant. Where no vectors were compared, the words in common say how relevant a result is.
 */
export function withUserResults<Result extends SearchResult>(
  own: readonly Result[],
  ofUser: readonly Result[],
  text: string,
): readonly Result[] {
  const byWords = relevanceTo(readPlain(text));
  const rate = ({ chunk, relevance }: SearchResult) => relevance ?? byWords({ chunk });
  const [left, right] = [bestOfRest(own.map(rate)), bestOfRest(ofUser.map(rate))];
  const merged: Result[] = [];
  let next = 0;
  for (const [i, result] of own.entries()) {
    const limit = (left[i] ?? 0) + EQUAL_RELEVANCE;
    const end = right.findIndex((relevance, place) => place >= next && relevance <= limit);
    const before = ofUser.slice(next, end === -1 ? ofUser.length : end);
    merged.push(...before, result);
    next += before.length;
  }
  return distinctTexts([...merged, ...ofUser.slice(next)]);
}

/** For each place, the highest value there or later. */
function bestOfRest(values: readonly number[]): readonly number[] {
  return values.map((_, place) => Math.max(...values.slice(place)));
}
