import { shownFor } from '../../domain/ranking/relevance.js';
import {
  demoteRetired,
  distinctTexts,
  preferExact,
  preferSources,
  type ScoredChunk,
} from '../../domain/ranking/scored-chunk.js';
import type { Settings } from '../../domain/settings.js';
import type { CitationReports } from '../citations/citation-judge.js';
import type { RetrievalRequest, Retrieved, SearchParameters } from './retrieval.js';

/** Chunks in display order. */
export interface Arranged {
  readonly ranked: readonly ScoredChunk[];
  /** Number of chunks left out because of their low relevance. */
  readonly leftOut: number;
}

/**
 * For `reading`, removes duplicate texts, puts exact words and preferred sources first, and moves superseded results
 * behind others that are at least half as relevant, without changing scores or relevance. For both profiles, removes
 * results below the requested relevance.
 */
export function arrange(
  retrieved: Retrieved,
  asked: SearchParameters,
  request: RetrievalRequest,
): Arranged {
  const { ranked } = retrieved;
  const relevant = ranked.filter(({ relevance = 1 }) => relevance >= (request.minRelevance ?? 0));
  const leftOut = ranked.length - relevant.length;
  if (request.profile === 'specified') return { ranked: relevant, leftOut };
  const exact = demoteRetired(preferExact(distinctTexts(relevant), request.exactWords));
  return { ranked: preferSources(exact, asked.preferredSources ?? []), leftOut };
}

/** For `reading`, removes weak results unless they are requested. */
export function withoutWeak(
  { ranked, leftOut }: Arranged,
  asked: Pick<SearchParameters, 'all' | 'minRelevance' | 'profile'>,
): Arranged {
  const shown = asked.profile === 'specified' ? ranked : shownFor(ranked, asked);
  return { ranked: shown, leftOut: leftOut + ranked.length - shown.length };
}

/** Moves stale chunks to the end, or leaves them out if the setting `staleChunks` is `hide`. */
export function byCitations(
  ranked: readonly ScoredChunk[],
  reports: CitationReports | undefined,
  { staleChunks }: Pick<Settings, 'staleChunks'>,
): readonly ScoredChunk[] {
  if (reports === undefined) return ranked;
  const isStale = ({ chunk }: ScoredChunk) => reports.get(chunk.id)?.stale === true;
  const holding = ranked.filter((scored) => !isStale(scored));
  return staleChunks === 'hide' ? holding : [...holding, ...ranked.filter(isStale)];
}
