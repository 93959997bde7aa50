import { exactMatches } from '../query/exact-words.js';
import type { Query } from '../query/query.js';
import { EQUAL_RELEVANCE, relevanceTo } from '../ranking/relevance.js';
import { distinctTexts } from '../ranking/scored-chunk.js';
import type { SearchResult } from '../ranking/search.js';

interface MergeOptions {
  readonly query: Query;
  /** Chunks that contain them literally come first. */
  readonly exactWords: readonly string[];
  /** Their chunks come first, in result order. */
  readonly preferredSources: readonly string[];
}

/**
 * Merges the results of several searches for one text, most relevant first. Among equals, lessons come before agent
 * outputs. If no vectors were compared, relevance is the share of common words. A text still without a vector is as
 * relevant as the best one that shares no more words.
 */
export function mergeLessons(
  results: readonly SearchResult[],
  { query, exactWords, preferredSources }: MergeOptions,
): readonly SearchResult[] {
  const rate = relevanceTo(query);
  const byWords = results.map(({ chunk }) => rate({ chunk }));
  const relevanceWithoutVector = (own: number) =>
    Math.max(
      own,
      ...results.map(({ relevance = 0 }, i) => ((byWords[i] ?? 0) <= own ? relevance : 0)),
    );
  const preferred = new Set(preferredSources);
  const placed = results.map((result, i) => {
    const { chunk, relevance = relevanceWithoutVector(byWords[i] ?? 0) } = result;
    const isPreferred = preferred.has(chunk.sourceFile);
    const exact = exactMatches(exactWords, chunk) / EQUAL_RELEVANCE;
    const step = isPreferred
      ? Number.POSITIVE_INFINITY
      : Math.round(exact + relevance / EQUAL_RELEVANCE);
    const isOutput = !isPreferred && chunk.sourceType === 'agent_output';
    return { result, step, isOutput };
  });
  const ordered = placed.toSorted((a, b) =>
    a.step === b.step ? Number(a.isOutput) - Number(b.isOutput) : b.step - a.step,
  );
  return distinctTexts(ordered.map(({ result }) => result));
}
