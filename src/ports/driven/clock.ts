/** Time, so that nothing inside reads it by itself. */
export interface Clock {
  /** The time of day; may jump. */
  now(): Date;
  /** Milliseconds that never go back, for limits and timeouts. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds, or at once when `signal` is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
