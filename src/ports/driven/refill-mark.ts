/**
 * Records, across restarts and for every process, that a store lost its contents and must be refilled
 * from its sources. A store that never loses them is never marked.
 *
 * Every method may throw KnowledgeError `store_unavailable`; `clear` may also throw `storage_full`.
 */
export interface RefillMark {
  isSet(): Promise<boolean>;
  /** Idempotent. */
  clear(): Promise<void>;
}
