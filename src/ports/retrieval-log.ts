/**
 * Counts the retrievals of the chunks of one project, and deletes chunks that are not retrieved.
 *
 * Every method may throw KnowledgeError `store_unavailable` or `storage_full`.
 */
export interface RetrievalLog {
  /**
   * Adds a retrieval at `at` for each of these ids; one that is listed several times is counted as often.
   * Unknown ids are ignored, an empty list writes nothing. Concurrent searches call it without waiting for each other, so
   * a store should write what comes at the same time at once.
   */
  record(chunkIds: readonly string[], at: Date): Promise<void>;
  /**
   * Deletes those of these chunks whose retrieval count is 0, with their vectors and questions, all of them or, if it fails, none.
   * Returns the ids of those that were deleted, in any order: a chunk that was retrieved in between is kept. The caller keeps
   * lists small, because other writers wait.
   */
  deleteUnretrieved(chunkIds: readonly string[]): Promise<readonly string[]>;
}
