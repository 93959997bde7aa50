/**
 * Keeps two processes from doing the same background work on one project. A lease avoids duplicate
 * work; it is not a lock: nothing may break if two processes hold it at once.
 *
 * Every method may throw KnowledgeError `store_unavailable` or `storage_full`.
 */
export interface Leases {
  /**
   * Takes the lease, or renews it for its holder, for `durationMs` from now by the clock of the store.
   * Returns false while another holder has it. A lease is free once it has expired or its holder is
   * known to have died. All holders of a name use the same duration; a lease that expires later than
   * `durationMs` from now is invalid and counts as free.
   */
  acquire(name: string, durationMs: number): Promise<boolean>;
  /** Whether somebody has the lease, this holder or another; with the duration that all holders of the name use. */
  isHeld(name: string, durationMs: number): Promise<boolean>;
  /** Releases a lease; does nothing if another holder has it. */
  release(name: string): Promise<void>;
}
