import type { CosineStatistics } from '../../domain/ranking/blending.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { VectorStatus } from '../../domain/stats.js';
import type { ChunkFilter } from './chunk-repository.js';

/** A chunk that waits for its vector: the average of the vectors of `texts`. */
export interface PendingVector {
  readonly chunkId: string;
  readonly texts: readonly string[];
}

export interface VectorEntry extends PendingVector {
  readonly vector: Vector;
}

export interface Neighbour {
  readonly chunkId: string;
  /** Cosine similarity, -1 to 1. */
  readonly cosine: number;
}

/**
 * Vectors of one kind, one a chunk, all of one model: used twice, for the contents of chunks and
 * for the questions that chunks answer. Vectors of another model or size, or with values that are
 * not finite, do not exist for it: their chunks are pending.
 */
export interface VectorIndex {
  /**
   * Stores vectors, all or none. Left out, without an error: an entry whose chunk is gone, whose
   * texts are no longer those that were embedded, or whose vector is not {@link isStorable}.
   * An entry that already has a vector is overwritten. Answers how many were stored.
   */
  put(entries: readonly VectorEntry[]): Promise<number>;
  /** Cosine similarity of `query` to each of the chunks that has a vector; the others are left out. */
  similarities(query: Vector, chunkIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The exact nearest chunks, nearest first, at most `limit`; equal ones in the order of their ids. */
  nearest(query: Vector, filter: ChunkFilter, limit: number): Promise<readonly Neighbour[]>;
  /**
   * How the cosines of `query` lie over all vectors, or over an even sample where there are many;
   * zeros where there is none.
   */
  cosineStatistics(query: Vector): Promise<CosineStatistics>;
  /** Chunks without a vector, newest first, at most `limit`. */
  pending(limit: number): Promise<readonly PendingVector[]>;
  status(): Promise<VectorStatus>;
}
