import type { Chunk } from '../chunks/chunk.js';

/**
 * A chunk with its scores and ranks, passed from the index to the search answer: each step adds its own
 * and keeps the rest. Ranks count from 1.
 */
export interface ScoredChunk {
  readonly chunk: Chunk;
  /** What the list is sorted by; higher is better. */
  readonly score: number;
  /** Place in the keyword list; absent for a chunk that only the vectors found. */
  readonly keywordRank?: number;
  /** BM25 score, above 0; absent if the chunk does not match by its words. */
  readonly bm25?: number;
  /** Place among the chunks that have a cosine. */
  readonly vectorRank?: number;
  /** Cosine similarity to the query, -1 to 1; absent for a chunk without a vector. */
  readonly cosine?: number;
  /** Place in the list before it was reranked. */
  readonly rankBefore?: number;
  /** What the reranker said of it; higher is better, and compares within one search only. */
  readonly rerankScore?: number;
}
