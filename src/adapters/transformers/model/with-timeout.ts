import type { Clock } from '../../../ports/driven/clock.js';

export interface TimeLimit {
  readonly ms: number;
  readonly clock: Clock;
  /** What the error says when the time is up. */
  readonly complaint: string;
}

/** What `work` gives, unless it takes too long: then an error, and `work` goes on unheard. */
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
