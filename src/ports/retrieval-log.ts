/** A chunk that was never retrieved, and is old enough to be deleted. */
export interface UnretrievedChunk {
  readonly id: string;
  readonly sourceFile: string;
  /** ISO 8601 time of creation, or of the last retrieval if another program set that time without raising the count. */
  readonly unusedSince: string;
}

/**
 * Counts the retrievals of the chunks of one project, and deletes chunks that are not retrieved.
 *
 * Every method may throw KnowledgeError `store_unavailable`; those that write may also throw `storage_full`.
 */
export interface RetrievalLog {
  /**
   * Adds a retrieval at `at` for each of these ids; one that is listed several times is counted as often.
   * Unknown ids are ignored, an empty list writes nothing. Concurrent searches call it without waiting for each other, so
   * a store should write what comes at the same time at once.
   */
  record(chunkIds: readonly string[], at: Date): Promise<void>;
  /** Chunks with a retrieval count of 0 whose `unusedSince` is at or before `latest`, in no particular order. */
  findUnusedSince(latest: Date): Promise<readonly UnretrievedChunk[]>;
  /**
   * Deletes at most `most` of the chunks that `findUnusedSince` returns, with their vectors and questions, and returns
   * those that were deleted, which is an empty list if there were none: a store may do it in steps, and keeps a chunk
   * that is retrieved meanwhile.
   */
  deleteUnusedSince(latest: Date, most: number): Promise<readonly UnretrievedChunk[]>;
}
