import type { VectorStatus } from '../domain/overview/stats.js';
import type { Vector } from '../domain/ranking/vector.js';
import type { Embedder } from './embedder.js';
import type { ChunkFilter } from './keyword-index.js';

/**
 * The part of a chunk that is compared with a query: its content, or the questions that it answers
 * (docs/specification.md, "HyPE"), which only some chunks have.
 */
export type ComparedKind = 'content' | 'questions';

/** As {@link ComparedKind}; `stored` is the vector of the content alone, without the header of its source. */
export type Compared = ComparedKind | 'stored';

/** The model that makes the vectors. */
export type VectorModel = Pick<Embedder, 'model' | 'dimensions'>;

/** The kinds of texts that have a vector. */
export type VectorKind = ComparedKind | 'headers';

/** Texts from which something is derived, for example a vector. */
export interface DerivedFrom {
  /** Id of a chunk; for headers, the file of a source. */
  readonly id: string;
  /** The texts to embed, none of them empty; the vector is the normalized mean of their vectors. */
  readonly texts: readonly string[];
}

/** A text that waits for its derived data. */
export interface PendingText extends DerivedFrom {
  /** Set if `put` would replace a vector of another model. */
  readonly hasOtherModel?: true;
}

export interface VectorEntry extends DerivedFrom {
  /** Any Euclidean norm above 0; only the direction matters. */
  readonly vector: Vector;
}

export interface QuestionEntry extends DerivedFrom {
  readonly questions: readonly string[];
}

/** Data that background work derives from texts, step by step. */
export interface DerivedEntries {
  /** The vectors of the contents of chunks; their text is `embeddingText` of the chunk. */
  readonly content: VectorEntry;
  /** The vectors of source headers that contain words; their text is `headerText` of the domain. */
  readonly headers: VectorEntry;
  /** The questions that a chunk answers; their text is `embeddingText` of the chunk. */
  readonly questionTexts: QuestionEntry;
  /** The vectors of the chunks' questions. */
  readonly questions: VectorEntry;
}

export interface Neighbour {
  readonly chunkId: string;
  /** Cosine similarity, -1 to 1. */
  readonly cosine: number;
}

export interface ComparisonStatus extends VectorStatus {
  /**
   * Why vectors cannot be compared here, as a sentence; absent if they can. If they cannot, vectors are still stored,
   * but no chunk has a similarity or a neighbour.
   */
  readonly problem?: string;
}

/**
 * The vectors of one project's chunks, at most one of each kind per chunk, all from one model, and the questions of the
 * chunks. Vectors of another model or dimension are ignored: their chunks are pending.
 *
 * A query is compared with chunk vector + `HEADER_WEIGHT` × header vector of the chunk's source.
 *
 * A `query` that is zero, not finite or of another dimension is similar to nothing: `similarities` and `nearest` are
 * empty.
 *
 * Every method may throw KnowledgeError `store_unavailable`; `put` may also throw `storage_full`.
 */
export interface VectorIndex {
  /**
   * At most `limit` texts that lack derived data. Vectors of chunks: most recently retrieved chunks first, then newest
   * first. `questionTexts`: newest chunks first. Headers: in no particular order.
   */
  pending(kind: keyof DerivedEntries, limit: number): Promise<readonly PendingText[]>;
  /**
   * Stores derived data of pending texts: all of it or, on failure, none. Replaces vectors of another model, but no
   * other data, such as a vector imported in the meantime. Silently skips entries that are not pending, were deleted or
   * now have other texts, and vectors that have another dimension, are zero or are not finite. Returns how many entries
   * were stored.
   */
  put<Kind extends keyof DerivedEntries>(
    kind: Kind,
    entries: readonly DerivedEntries[Kind][],
  ): Promise<number>;
  /**
   * Counts chunks with and without a vector. `complete` and `pending` add up to all chunks of the project. For
   * `content`, a chunk is pending until the header of its source has a vector too, unless its source is one of
   * `withoutHeader`.
   */
  status(kind: Compared, withoutHeader?: readonly string[]): Promise<ComparisonStatus>;
  /**
   * The cosine of `query`, exact to 1e-5, to each of these chunks; chunks without a vector are left out. With `sample`:
   * to all chunks that have a vector, or to at least 1,000 of them, evenly spaced.
   */
  similarities(
    kind: Compared,
    query: Vector,
    of: readonly string[] | 'sample',
  ): Promise<ReadonlyMap<string, number>>;
  /**
   * The chunks whose contents are nearest to a vector, or to the chunk with this id: nearest first, equally near ones
   * by id, at most `limit` (up to 1,000). Cosines are exact to 1e-6; the list equals that of an exact search in at
   * least 99.9 % of lookups. Reflects every change made before the call: vectors stored, deleted, or moved to a new
   * chunk id.
   */
  nearest(to: Vector | string, filter: ChunkFilter, limit: number): Promise<readonly Neighbour[]>;
}
