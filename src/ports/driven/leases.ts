/**
 * Keeps two processes from doing the same background work on one project. A lease saves work; it is
 * not a lock: nothing may break if two processes hold it at once.
 *
 * Every method may throw KnowledgeError `store_unavailable` or `storage_full`.
 */
export interface Leases {
  /**
   * Takes a lease, or renews one's own, for `durationMs` from now by the clock of the store. False
   * while somebody else holds it. A lease is free once it has run out or its holder is known to have
   * died. All who ask for a name ask for the same duration: a lease that claims to last longer than
   * `durationMs` from now was not taken by these rules, and is free too.
   */
  acquire(name: string, durationMs: number): Promise<boolean>;
  /** Gives a lease back; does nothing if it is not one's own. */
  release(name: string): Promise<void>;
}
