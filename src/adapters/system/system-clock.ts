import type { Clock } from '../../ports/clock.js';

/** The system clock. A `sleep` with a signal does not keep the process alive. */
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
      const timer = setTimeout(wake, ms);
      if (signal === undefined) return;
      timer.unref();
      signal.addEventListener('abort', wake);
    }),
};
