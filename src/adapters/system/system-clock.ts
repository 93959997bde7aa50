import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../ports/driven/clock.js';

/** The clock of the system. Its sleep does not keep the process alive. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    sleep(ms, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined),
};
