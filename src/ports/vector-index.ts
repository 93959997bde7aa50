import type { CosineStatistics, Vector } from '../domain/ranking/vector.js';
import type { VectorStatus } from '../domain/stats.js';
import type { ChunkFilter } from './keyword-index.js';

/** The texts that are embedded for a chunk; the chunk's vector is the normalized mean of theirs. */
export interface EmbeddableText {
  readonly chunkId: string;
  /** Never empty. */
  readonly texts: readonly string[];
}

/** A chunk that waits for its vector. */
export interface PendingVector extends EmbeddableText {
  /** It has a vector of another model, which `put` would replace; absent where it has none. */
  readonly hasOtherModel?: true;
}

export interface VectorEntry extends EmbeddableText {
  /** Of any Euclidean norm above 0; only its direction matters. */
  readonly vector: Vector;
}

export interface Neighbour {
  readonly chunkId: string;
  /** Cosine similarity, -1 to 1. */
  readonly cosine: number;
}

/**
 * The vectors of the chunks of one project, at most one per chunk, all from one model. Each project has
 * two such indexes: one for the contents of chunks, one for the questions that they answer. Vectors of
 * another model or dimension are ignored: their chunks are pending.
 *
 * The vectors of contents are compared together with those of their headers (`HeaderIndex`); `vectorsOf` returns their own.
 *
 * A `query` that is zero, not finite or of another dimension is similar to nothing: `similarities` and
 * `nearest` are empty, and `cosineStatistics` are zeros.
 *
 * Every method may throw KnowledgeError `store_unavailable`; `put` may also throw `storage_full`.
 */
export interface VectorIndex {
  /**
   * Stores vectors, all of them or, if it fails, none, for chunks that are pending: a vector that is
   * there already, such as one that was imported while this one was computed, is never overwritten.
   * Skips, without an error, an entry whose chunk is not pending, was deleted, or has other texts now,
   * and a vector that has another dimension, is zero or has a value that is not finite. Returns how
   * many were stored.
   */
  put(entries: readonly VectorEntry[]): Promise<number>;
  /** The vectors of these chunks, possibly scaled; a chunk without one is left out. */
  vectorsOf(chunkIds: readonly string[]): Promise<ReadonlyMap<string, Vector>>;
  /** The cosine of `query`, exact to 1e-5, to each of these chunks that has a vector; the others are left out. */
  similarities(query: Vector, chunkIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * The nearest chunks, nearest first, at most `limit` (up to 1,000); equally near ones in the order of
   * their ids. Cosines are exact (to 1e-6); the list equals that of an exact search in at least 99.9 %
   * of lookups. Every change made before the call counts: vectors stored, deleted, or given a new chunk id.
   */
  nearest(query: Vector, filter: ChunkFilter, limit: number): Promise<readonly Neighbour[]>;
  /**
   * Mean and standard deviation of the cosines of `query` over all vectors, or over an evenly spaced
   * sample of at least 1,000 of them; zeros if there are no vectors.
   */
  cosineStatistics(query: Vector): Promise<CosineStatistics>;
  /** Chunks without a vector, at most `limit`: those that a search returned, the last one first, then the newest. */
  pending(limit: number): Promise<readonly PendingVector[]>;
  /** `complete` and `pending` add up to all chunks of the project. */
  status(): Promise<VectorStatus>;
}

/** A chunk without questions. */
export interface ChunkWithoutQuestions {
  readonly id: string;
  /** The text to generate questions from: `embeddingText` of the chunk. */
  readonly text: string;
}

/**
 * The questions that each chunk of one project answers (docs/specification.md, "HyPE").
 *
 * Every method may throw KnowledgeError `store_unavailable`; `save` may also throw `storage_full`.
 */
export interface QuestionStore {
  /** Chunks that have no questions yet, newest first, at most `limit`. */
  pending(limit: number): Promise<readonly ChunkWithoutQuestions[]>;
  /** The questions of a chunk; empty for one that has none, or does not exist. */
  questionsOf(chunkId: string): Promise<readonly string[]>;
  /** Stores the questions of a chunk; does nothing if the chunk was deleted or its text is no longer `chunk.text`. */
  save(chunk: ChunkWithoutQuestions, questions: readonly string[]): Promise<void>;
}

/** A source whose header has no vector of the model of the store. */
export interface PendingHeader {
  readonly sourceFile: string;
  /** As `headerText` of the domain returns it; never empty. */
  readonly text: string;
  /** It has a vector of another model, which `put` would replace; absent where it has none. */
  readonly hasOtherModel?: true;
}

export interface HeaderEntry extends PendingHeader {
  /** Of any Euclidean norm above 0; only its direction matters. */
  readonly vector: Vector;
}

/**
 * The vectors of the headers of sources: what the content vectors of chunks are compared with a query as is their sum with that of
 * their source, weighed by `HEADER_WEIGHT`. Stored vectors stay the chunks' own.
 *
 * Every method may throw KnowledgeError `store_unavailable`; `put` may also throw `storage_full`.
 */
export interface HeaderIndex {
  /** Sources whose headers hold words, and have no vector of the model, at most `limit`. */
  pending(limit: number): Promise<readonly PendingHeader[]>;
  /**
   * Stores vectors. Skips, without an error, a header that is gone or has another text now. One that has another dimension, is zero or
   * has a value that is not finite counts as done: its chunks are compared without it.
   */
  put(entries: readonly HeaderEntry[]): Promise<void>;
}
