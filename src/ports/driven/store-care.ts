/** Something that is wrong with a store. */
export interface StoreProblem {
  /** What is wrong, as a sentence. */
  readonly problem: string;
  /** What was done about it, or what a person can do, as a sentence. */
  readonly advice: string;
  /**
   * `mended`: done by the call that returned it. `mendable`: `repair` mends it. `manual`: needs a person.
   * `damaged`: what is stored cannot be read; the next use of the store replaces it.
   */
  readonly state: 'mended' | 'mendable' | 'manual' | 'damaged';
}

/**
 * Finds and repairs what is wrong with what is stored for a project. A store whose engine takes care
 * of this itself has no problems.
 *
 * Every method may throw KnowledgeError `store_unavailable` and `storage_full`.
 */
export interface StoreCare {
  /** Reads everything that is stored, which takes seconds for a large store; changes nothing. */
  examine(): Promise<readonly StoreProblem[]>;
  /**
   * Makes what is derived again if it is wrong (indexes, vectors of missing chunks), and returns what was
   * wrong. What is not derived stays as it is.
   */
  repair(): Promise<readonly StoreProblem[]>;
  /** Makes again only those indexes that keep rows from being written; leaves every row as it is. */
  repairIndexes(): Promise<void>;
}
