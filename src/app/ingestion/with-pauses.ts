import type { Steps } from '../../domain/steps.js';

/** Does work that may take long, and lets the event loop run after every few milliseconds of it. */
export async function withPauses<T>(steps: Steps<T>): Promise<T> {
  for (let pauseAt = performance.now() + WORK_MS; ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < pauseAt) continue;
    await new Promise((resolve) => setImmediate(resolve));
    pauseAt = performance.now() + WORK_MS;
  }
}

const WORK_MS = 8;
