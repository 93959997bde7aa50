import { setImmediate } from 'node:timers/promises';

/** Lets the event loop run after every few milliseconds of work that never has to wait. */
export class CooperativeYield {
  #pauseAt = performance.now() + WORK_AT_ONCE_MS;

  async yieldIfDue(): Promise<void> {
    if (performance.now() < this.#pauseAt) return;
    await setImmediate();
    this.#pauseAt = performance.now() + WORK_AT_ONCE_MS;
  }
}

/** Work that never has to wait lets the event loop run after so many milliseconds. */
const WORK_AT_ONCE_MS = 2;
