import { setTimeout as sleep } from 'node:timers/promises';
import { STORE_LOCK_TIMEOUT_MS } from '../../../domain/limits.js';
import { isBusy } from './errors.js';

/** When to stop waiting for another process. */
export interface RetryLimit {
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
  /** Each ends the wait. */
  readonly signals: readonly AbortSignal[];
}

/**
 * Tries until no other connection holds the lock, the deadline has come or a signal is aborted. SQLite's own wait would stop
 * the event loop.
 */
export async function retryWhileBusy<T>(
  attempt: () => T | Promise<T>,
  { deadline, signals }: RetryLimit,
): Promise<T> {
  const isOver = () => performance.now() > deadline || signals.some(({ aborted }) => aborted);
  for (let pause = 1; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || isOver()) throw error;
    }
    await sleep(pause);
  }
}

const LONGEST_PAUSE_MS = 50;

/** On the clock of `performance.now()`. */
export function lockDeadline(timeoutMs: number = STORE_LOCK_TIMEOUT_MS): number {
  return performance.now() + timeoutMs;
}
