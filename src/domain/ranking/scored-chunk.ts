import type { Chunk } from '../chunks/chunk.js';
import { isRetired } from '../chunks/document-status.js';
import { exactMatches } from '../query/exact-words.js';

/**
 * A chunk with its scores and ranks on the way from the index to the answer: each step adds its own. Ranks count from
 * 1.
 */
export interface ScoredChunk {
  readonly chunk: Chunk;
  /**
   * The list is sorted by it when it is set. Higher is better, except in the answers of the search-only variant: they
   * have FTS5's negative score, and lower is better.
   */
  readonly score: number;
  /** Place in the keyword list; absent for a chunk found only by its vector. */
  readonly keywordRank?: number;
  /** BM25 score, above 0; absent if the chunk does not match by its words. */
  readonly bm25?: number;
  /** Place among the chunks that have a cosine. */
  readonly vectorRank?: number;
  /** Cosine similarity to the query, -1 to 1; absent for a chunk without a vector. */
  readonly cosine?: number;
  /** The cosine on the scale of the reference model, if another model is used. */
  readonly referenceCosine?: number;
  /** How likely it is to answer the query, from 0 to 1; present only if vectors were compared. */
  readonly relevance?: number;
  /** Place in the list before it was reranked. */
  readonly rankBefore?: number;
  /** The reranker's score. Higher is better; comparable within one search only. */
  readonly rerankScore?: number;
}

/**
 * Of chunks with the same heading and content, keeps the most important one; among equals, the best-ranked one. Keeps
 * the order.
 */
export function distinctTexts<T extends Ranked>(ranked: readonly T[]): readonly T[] {
  const byLength = new Map<number, T[]>();
  for (const scored of ranked) {
    const { content, heading, importance } = scored.chunk;
    const asLong = byLength.get(content.length) ?? [];
    byLength.set(content.length, asLong);
    const isSame = ({ chunk }: T) => chunk.content === content && chunk.heading === heading;
    const place = asLong.findIndex(isSame);
    if (place === -1) asLong.push(scored);
    else if (asLong[place] && asLong[place].chunk.importance < importance) asLong[place] = scored;
  }
  const kept = new Set([...byLength.values()].flat());
  return ranked.filter((scored) => kept.has(scored));
}

interface Ranked {
  readonly chunk: Pick<Chunk, 'heading' | 'content' | 'importance'>;
}

/** Puts the chunks of some source files first; both groups keep their order. */
export function preferSources(
  ranked: readonly ScoredChunk[],
  sourceFiles: readonly string[],
): readonly ScoredChunk[] {
  const preferred = new Set(sourceFiles);
  return putFirst(ranked, ({ chunk }) => preferred.has(chunk.sourceFile));
}

/**
 * Puts chunks first that contain the most of these words literally. Ignores words that many of the chunks contain.
 * Returns the same list if nothing is moved.
 */
export function preferExact(
  ranked: readonly ScoredChunk[],
  words: readonly string[],
): readonly ScoredChunk[] {
  const most = Math.max(EXACT_HOLDERS_MAX, EXACT_HOLDERS_SHARE * ranked.length);
  const distinctive = words.filter(
    (word) => ranked.filter(({ chunk }) => exactMatches([word], chunk) > 0).length <= most,
  );
  const counts = new Map(ranked.map(({ chunk }) => [chunk, exactMatches(distinctive, chunk)]));
  // Any order of these steps gives the same list.
  const steps = [...new Set(counts.values())].filter((count) => count > 0);
  return steps.reduce(
    (list, count) => putFirst(list, ({ chunk }) => (counts.get(chunk) ?? 0) >= count),
    ranked,
  );
}

const EXACT_HOLDERS_MAX = 10;
const EXACT_HOLDERS_SHARE = 0.2;

function putFirst(
  ranked: readonly ScoredChunk[],
  isWanted: (scored: ScoredChunk) => boolean,
): readonly ScoredChunk[] {
  return [...ranked.filter(isWanted), ...ranked.filter((scored) => !isWanted(scored))];
}

/**
 * Moves chunks of superseded, deprecated and rejected documents behind other chunks at least half as relevant;
 * otherwise keeps the order.
 */
export function demoteRetired(ranked: readonly ScoredChunk[]): readonly ScoredChunk[] {
  const marked = ranked.filter(({ chunk }) => isRetired(chunk));
  const preferred = ranked.filter(({ chunk }) => !isRetired(chunk));
  for (const scored of marked) {
    const half = (scored.relevance ?? 1) / 2;
    const last = preferred.findLastIndex(({ relevance = 1 }) => relevance >= half);
    const place = Math.max(last + 1, ranked.indexOf(scored));
    preferred.splice(place, 0, scored);
  }
  return preferred;
}
