/** A chunk that nobody has retrieved for a long time. */
export interface StaleChunk {
  readonly id: string;
  readonly sourceFile: string;
  /** ISO 8601: the last retrieval or, without one, the creation. */
  readonly unusedSince: string;
}

/**
 * Remembers which chunks of one project were retrieved, and forgets the chunks that never were.
 *
 * Every method may throw KnowledgeError `store_unavailable`; those that write also `storage_full`.
 */
export interface RetrievalLog {
  /** Adds one retrieval at `at` to each of these chunks; unknown ids are ignored, an empty list writes nothing. */
  record(chunkIds: readonly string[], at: Date): Promise<void>;
  /** Chunks never retrieved whose last retrieval, or else creation, is not after `before`. */
  findUnusedSince(before: Date): Promise<readonly StaleChunk[]>;
  /** Deletes what `findUnusedSince` finds, with vectors and questions, and returns it. */
  deleteUnusedSince(before: Date): Promise<readonly StaleChunk[]>;
}
