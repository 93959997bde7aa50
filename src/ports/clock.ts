/** The only source of time for the core, so that tests can control it. */
export interface Clock {
  /** Wall-clock time; may jump. */
  now(): Date;
  /** Milliseconds that never go backwards, for rate limits and timeouts. */
  monotonic(): number;
  /**
   * Resolves after `ms` milliseconds, or immediately when `signal` is aborted; never rejects. Without a signal, a
   * caller waits for the pause, and the process stays alive. A pause with a signal belongs to background work and does
   * not keep the process alive.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
