import type { VectorStatus } from '../domain/overview/stats.js';
import type { Vector } from '../domain/ranking/vector.js';
import type { Embedder } from './embedder.js';
import type { ChunkFilter } from './keyword-index.js';

/**
 * What a chunk is compared with a query by: its content, or the questions that it answers (docs/specification.md,
 * "HyPE"), which only some chunks have.
 */
export type ComparedKind = 'content' | 'questions';

/** As {@link ComparedKind}; `stored` is the vector of the content alone, without the header of its source. */
export type Compared = ComparedKind | 'stored';

/** The model of which vectors are made and compared. */
export type VectorModel = Pick<Embedder, 'model' | 'dimensions'>;

/** The kinds of texts that have a vector. */
export type VectorKind = ComparedKind | 'headers';

/** Texts from which something is derived, for example a vector. */
export interface DerivedFrom {
  /** Of a chunk; for headers the file of a source. */
  readonly id: string;
  /** The texts that are embedded, none of them empty; the vector is the normalized mean of theirs. */
  readonly texts: readonly string[];
}

/** Texts that wait for their derived data. */
export interface PendingText extends DerivedFrom {
  /** Set if there is a vector of another model, which `put` would replace. */
  readonly hasOtherModel?: true;
}

export interface VectorEntry extends DerivedFrom {
  /** Of any Euclidean norm above 0; only its direction matters. */
  readonly vector: Vector;
}

export interface QuestionEntry extends DerivedFrom {
  readonly questions: readonly string[];
}

/** Data that background work derives from texts, step by step. */
export interface DerivedEntries {
  /** The vectors of the contents of chunks; their text is `embeddingText` of the chunk. */
  readonly content: VectorEntry;
  /** The vectors of the headers of sources, as `headerText` of the domain returns them, where they hold words. */
  readonly headers: VectorEntry;
  /** The questions that a chunk answers; their text is `embeddingText` of the chunk. */
  readonly questionTexts: QuestionEntry;
  /** The vectors of the questions of chunks that have questions. */
  readonly questions: VectorEntry;
}

export interface Neighbour {
  readonly chunkId: string;
  /** Cosine similarity, -1 to 1. */
  readonly cosine: number;
}

export interface ComparisonStatus extends VectorStatus {
  /**
   * Why vectors cannot be compared here, as a sentence; absent where they can. Where they cannot, they are stored all
   * the same, and no chunk has a similarity or a neighbour.
   */
  readonly problem?: string;
}

/**
 * The vectors of the chunks of one project, at most one of each kind per chunk, all from one model, and the questions
 * that some are made of. Vectors of another model or dimension are ignored: their chunks are pending.
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
   * Texts that nothing was derived from yet, at most `limit`. Vectors of chunks: most recently retrieved chunks first,
   * then newest first. `questionTexts`: newest chunks first. Headers: in no particular order.
   */
  pending(kind: keyof DerivedEntries, limit: number): Promise<readonly PendingText[]>;
  /**
   * Stores what was derived, all of it or, if it fails, none, for texts that are pending: what is there already, such
   * as a vector that was imported while this one was computed, is never overwritten. Skips, without an error, an entry
   * that is not pending, was deleted, or has other texts now, and a vector that has another dimension, is zero or has a
   * value that is not finite. Returns how many were stored.
   */
  put<Kind extends keyof DerivedEntries>(
    kind: Kind,
    entries: readonly DerivedEntries[Kind][],
  ): Promise<number>;
  /**
   * `complete` and `pending` add up to all chunks of the project. As content, a chunk is pending until the header of
   * its source has its vector too, unless that is one of `withoutHeader`, whose headers get none.
   */
  status(kind: Compared, withoutHeader?: readonly string[]): Promise<ComparisonStatus>;
  /**
   * The cosine of `query`, exact to 1e-5, to each of these chunks that has a vector; the others are left out. With
   * `sample`: to all chunks that have one, or to at least 1,000 of them, evenly spaced.
   */
  similarities(
    kind: Compared,
    query: Vector,
    of: readonly string[] | 'sample',
  ): Promise<ReadonlyMap<string, number>>;
  /**
   * The chunks whose contents are nearest to a vector, or to that of the chunk with this id; nearest first, at most
   * `limit` (up to 1,000); equally near ones in the order of their ids. Cosines are exact (to 1e-6); the list equals
   * that of an exact search in at least 99.9 % of lookups. Every change made before the call counts: vectors stored,
   * deleted, or given a new chunk id.
   */
  nearest(to: Vector | string, filter: ChunkFilter, limit: number): Promise<readonly Neighbour[]>;
}
