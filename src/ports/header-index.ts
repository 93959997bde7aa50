import type { Vector } from '../domain/ranking/vector.js';

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
