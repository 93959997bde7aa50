import type { BackoffOptions } from '../../shared/backoff.js';

/** The pause after a check. Grows with the duration of the check, up to two seconds, to save CPU time. */
export function pauseAfter(checkMs: number): number {
  return Math.min(LONGEST_PAUSE_MS, Math.max(CHECK_EVERY_MS, checkMs * PAUSE_PER_CHECK));
}

const CHECK_EVERY_MS = 1_000;
const PAUSE_PER_CHECK = 10;
const LONGEST_PAUSE_MS = 2_000;

/** How long to wait after failed checks. */
export const AFTER_FAILURES: BackoffOptions = { firstMs: 1_000, longestMs: 60_000 };

/** Lease of the process that checks the files of a project at intervals. */
export const WATCH_LEASE = { name: 'watch', durationMs: 30_000 };
