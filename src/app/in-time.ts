import type { Clock } from '../ports/clock.js';

/**
 * What some work returns; undefined if it takes longer than `ms`. The signal is aborted once nobody waits for the work any
 * more; work that does not heed it goes on.
 */
export async function inTime<T>(
  clock: Pick<Clock, 'sleep'>,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const over = new AbortController();
  const { signal } = over;
  try {
    return await Promise.race([work(signal), clock.sleep(ms, signal).then(() => undefined)]);
  } finally {
    over.abort('over'); // Without a reason it makes an error, with its stack, for each search.
  }
}
