import type { Clock } from '../../ports/clock.js';

/** The clock of the system. Its sleep does not keep the process alive. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms).unref();
      signal?.addEventListener('abort', wake);
    }),
};
