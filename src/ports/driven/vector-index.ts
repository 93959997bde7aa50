import type { CosineStatistics } from '../../domain/ranking/blending.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { VectorStatus } from '../../domain/stats.js';
import type { ChunkFilter } from './chunk-filter.js';
import type { EmbeddableText } from './embeddable-texts.js';

/** A chunk that waits for its vector. */
export type PendingVector = EmbeddableText;

export interface VectorEntry extends EmbeddableText {
  /** Of any length but 0; only its direction counts. */
  readonly vector: Vector;
}

export interface Neighbour {
  readonly chunkId: string;
  /** Cosine similarity, -1 to 1. */
  readonly cosine: number;
}

/**
 * The vectors of one kind of one project, one per chunk, all of one model: used twice, for the
 * contents of chunks and for the questions that they answer. Vectors of another model or dimension,
 * or with values that are not finite, do not exist for it: their chunks are pending.
 *
 * Every method may throw KnowledgeError `store_unavailable`, and `put` also `storage_full`.
 */
export interface VectorIndex {
  /**
   * Stores vectors, all of them or, if it fails, none; a chunk's former vector is overwritten.
   * Without an error it leaves out an entry whose chunk is gone, whose texts are not those of the
   * chunk any more, or whose vector has another dimension, no length or a value that is not finite.
   * Returns how many were stored.
   */
  put(entries: readonly VectorEntry[]): Promise<number>;
  /** The exact cosine of `query` to each of the chunks that has a vector; the others are left out. */
  similarities(query: Vector, chunkIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * The nearest chunks, nearest first, at most `limit` (up to 1,000); equal ones in the order of
   * their ids. Cosines are exact (to 1e-6); the list is that of an exact search in at least 99.9 % of look-ups.
   * A vector that was stored, moved or deleted before the call is always taken into account.
   */
  nearest(query: Vector, filter: ChunkFilter, limit: number): Promise<readonly Neighbour[]>;
  /**
   * Mean and standard deviation of the cosines of `query` over all vectors, or over an even sample of
   * at least 1,000 of them; zeros where there are none.
   */
  cosineStatistics(query: Vector): Promise<CosineStatistics>;
  /** Chunks without a vector, newest first, at most `limit`. */
  pending(limit: number): Promise<readonly PendingVector[]>;
  /** `complete` and `pending` add up to all chunks of the project. */
  status(): Promise<VectorStatus>;
  /**
   * Why vectors cannot be compared here, as a sentence; undefined where they can. Where they cannot,
   * they are stored all the same, and no chunk has a similarity or a neighbour.
   */
  comparisonProblem(): Promise<string | undefined>;
}
