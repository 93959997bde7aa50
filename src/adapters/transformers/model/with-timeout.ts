import type { Clock } from '../../../ports/driven/clock.js';

export interface TimeLimit {
  readonly ms: number;
  readonly clock: Clock;
  /** The message of the error when the time is up. */
  readonly complaint: string;
}

/** The result of `work`, or an error when it takes too long; `work` itself is not stopped. */
export async function withTimeout<T>(
  work: Promise<T>,
  { ms, clock, complaint }: TimeLimit,
): Promise<T> {
  const done = new AbortController();
  const timeUp = clock.sleep(ms, done.signal).then((): never => {
    throw new Error(`${complaint} (${ms} ms)`);
  });
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    timeUp.catch(() => {});
    done.abort();
  }
}
