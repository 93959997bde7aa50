/**
 * Remembers, across restarts and for every process, that a store lost its contents and has to be
 * filled from its sources. A store that never loses them is never marked.
 *
 * Every method may throw KnowledgeError `store_unavailable`, and `clear` also `storage_full`.
 */
export interface RefillMark {
  isSet(): Promise<boolean>;
  /** Idempotent. */
  clear(): Promise<void>;
}
