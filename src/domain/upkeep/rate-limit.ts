/** So many calls may start in any window of this length; both at least 1. */
export interface RateLimit {
  readonly calls: number;
  readonly windowMs: number;
}

/** When the latest calls started, oldest first, in milliseconds that never go back. */
export type CallTimes = readonly number[];

export const NO_CALLS: CallTimes = [];

/**
 * Whole milliseconds until the next call may start; 0 means now. A call that starts then leaves at
 * most `limit.calls` starts in every half-open window [t, t + `limit.windowMs`) that ends with it.
 * Ask again after the wait, since other calls may have started meanwhile, and record the call in the
 * same turn as the answer 0.
 */
export function waitBeforeCall(times: CallTimes, now: number, limit: RateLimit): number {
  const oldestThatCounts = times.at(-limit.calls);
  if (oldestThatCounts === undefined) return 0;
  return Math.max(0, Math.ceil(oldestThatCounts + limit.windowMs - now));
}

/** The times with a call that starts now, whether it asked or not; holds `limit.calls` at most. */
export function recordCall(times: CallTimes, now: number, limit: RateLimit): CallTimes {
  return [...times, now].slice(-limit.calls);
}
