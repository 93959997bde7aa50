/** A chunk that has not been retrieved for a long time. */
export interface StaleChunk {
  readonly id: string;
  readonly sourceFile: string;
  /** ISO 8601 time of the last retrieval, or of the creation if it was never retrieved. */
  readonly unusedSince: string;
}

/**
 * Counts the retrievals of the chunks of one project, and deletes chunks that are not retrieved.
 *
 * Every method may throw KnowledgeError `store_unavailable`; those that write may also throw `storage_full`.
 */
export interface RetrievalLog {
  /** Adds one retrieval at `at` to each of these chunks; unknown ids are ignored, an empty list writes nothing. */
  record(chunkIds: readonly string[], at: Date): Promise<void>;
  /** Chunks with a retrieval count of 0 whose last retrieval, or else creation, is not after `before`. */
  findUnusedSince(before: Date): Promise<readonly StaleChunk[]>;
  /** Deletes the chunks that `findUnusedSince` returns, with their vectors and questions, and returns them. */
  deleteUnusedSince(before: Date): Promise<readonly StaleChunk[]>;
}
