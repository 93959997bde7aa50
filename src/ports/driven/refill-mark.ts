/**
 * Records, across restarts and for every process, that a store lost its contents and must be refilled
 * from its sources. The store sets the mark itself when it replaces a damaged database with an empty one.
 *
 * Every method may throw KnowledgeError `store_unavailable`; `clear` may also throw `storage_full`.
 */
export interface RefillMark {
  isSet(): Promise<boolean>;
  /** Idempotent. */
  clear(): Promise<void>;
}
