import { setImmediate } from 'node:timers/promises';
import { WORK_AT_ONCE_MS } from '../../domain/limits.js';

/** Lets the event loop run after every few milliseconds of work that never has to wait. */
export class CooperativeYield {
  #pauseAt = performance.now() + WORK_AT_ONCE_MS;

  async yieldIfDue(): Promise<void> {
    if (performance.now() < this.#pauseAt) return;
    await setImmediate();
    this.#pauseAt = performance.now() + WORK_AT_ONCE_MS;
  }
}
