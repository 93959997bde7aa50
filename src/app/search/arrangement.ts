import { shownAmong } from '../../domain/ranking/relevance.js';
import {
  demoteOutdated,
  distinctTexts,
  preferExact,
  preferSources,
  type ScoredChunk,
} from '../../domain/ranking/scored-chunk.js';
import type { RetrievalRequest, Retrieved, SearchParameters } from './retrieval.js';

/** Chunks in the order in which they are shown. */
export interface Arranged {
  readonly ranked: readonly ScoredChunk[];
  /** How many were left out because they are less relevant. */
  readonly leftOut: number;
}

/**
 * For `reading`: the same text once, exact words and preferred sources first, and superseded results last, without
 * changing a score or relevance. For both profiles: without results below the requested relevance.
 */
export function arranged(
  retrieved: Retrieved,
  asked: SearchParameters,
  request: RetrievalRequest,
): Arranged {
  const { ranked } = retrieved;
  const relevant = ranked.filter(({ relevance = 1 }) => relevance >= (request.minRelevance ?? 0));
  const leftOut = ranked.length - relevant.length;
  if (request.profile === 'specified') return { ranked: relevant, leftOut };
  const exact = demoteOutdated(preferExact(distinctTexts(relevant), request.exactWords));
  return { ranked: preferSources(exact, asked.preferredSources ?? []), leftOut };
}

/** Drops weak results, unless the request sets a minimum relevance. */
export function withoutWeak(
  { ranked, leftOut }: Arranged,
  { all, minRelevance, profile }: Pick<SearchParameters, 'all' | 'minRelevance' | 'profile'>,
): Arranged {
  if (profile === 'specified' || all || minRelevance !== undefined) return { ranked, leftOut };
  const shown = shownAmong(ranked);
  return { ranked: shown, leftOut: leftOut + ranked.length - shown.length };
}
