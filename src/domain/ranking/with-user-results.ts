import { readPlain } from '../query/query.js';
import { preferringFirst } from './preferred-results.js';
import { relevanceTo } from './relevance.js';
import { distinctTexts } from './scored-chunk.js';
import type { SearchResult } from './search.js';

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
