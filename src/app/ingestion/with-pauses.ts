import { WORK_AT_ONCE_MS } from '../../domain/limits.js';
import type { Steps } from '../../domain/steps.js';

/** Does work that may take long, and lets the event loop run after every few milliseconds of it. */
export async function withPauses<T>(steps: Steps<T>): Promise<T> {
  for (let pauseAt = performance.now() + WORK_AT_ONCE_MS; ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < pauseAt) continue;
    await nextTurn();
    pauseAt = performance.now() + WORK_AT_ONCE_MS;
  }
}

/** Lets the event loop run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The items that pass a test, found with pauses. */
export function filteredWithPauses<T>(
  items: readonly T[],
  test: (item: T) => boolean,
): Promise<readonly T[]> {
  return withPauses(
    (function* () {
      const found: T[] = [];
      for (const item of items) {
        if (test(item)) found.push(item);
        yield;
      }
      return found;
    })(),
  );
}
