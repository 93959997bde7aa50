/** The only source of time for the core, so that tests can control it. */
export interface Clock {
  /** Wall-clock time; may jump. */
  now(): Date;
  /** Milliseconds on a clock that never goes back, for rate limits and timeouts. */
  monotonic(): number;
  /**
   * Resolves after `ms` milliseconds, or immediately when `signal` is aborted; never rejects. A pause without a signal
   * keeps the process alive, because a caller waits for it; one with a signal belongs to background work and does not.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
