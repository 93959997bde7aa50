import type { Clock } from '../../../ports/driven/clock.js';

export interface TimeLimit {
  readonly ms: number;
  readonly clock: Clock;
  /** Message of the error after a timeout. */
  readonly message: string;
}

/** Resolves with the result of `work`, or rejects if it takes too long; does not stop `work` itself. */
export async function withTimeout<T>(
  work: Promise<T>,
  { ms, clock, message }: TimeLimit,
): Promise<T> {
  const done = new AbortController();
  const timeUp = clock.sleep(ms, done.signal).then((): never => {
    throw new Error(`${message} (${ms} ms)`);
  });
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    timeUp.catch(() => {});
    done.abort();
  }
}
