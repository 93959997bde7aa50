/** Something worth knowing about what is stored. */
export interface StoreFinding {
  /**
   * `damaged`: the database cannot be read; a repair sets it aside, and its sources are indexed again.
   * `index_outdated`: the full-text index and the chunks do not agree; a repair rebuilds it.
   * `left_out`: a former database was adopted, and some of its rows did not fit; needs no action.
   */
  readonly code: 'damaged' | 'index_outdated' | 'left_out';
  /** What is wrong, and what was or can be done, as one sentence. */
  readonly sentence: string;
  /** Whether the call that returned it has repaired it. */
  readonly repaired?: true;
}

/**
 * Finds and repairs what is wrong with what is stored for a project. A store whose engine takes care of this itself finds
 * nothing.
 *
 * Every method may throw KnowledgeError `store_unavailable` and `storage_full`.
 */
export interface StoreMaintenance {
  /** Reads everything that is stored, which takes seconds for a large store; changes nothing. */
  examine(): Promise<readonly StoreFinding[]>;
  /**
   * Rebuilds indexes that are wrong, and sets a damaged database aside, after which the next use of the store creates
   * an empty one that `needsReindexing`. Returns what was wrong.
   */
  repair(): Promise<readonly StoreFinding[]>;
  /** Whether the store replaces a damaged one and must be filled from its sources; the same for every process. */
  needsReindexing(): Promise<boolean>;
  /** Says that it was filled; idempotent. */
  reindexed(): Promise<void>;
}
