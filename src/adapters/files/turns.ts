import { setImmediate } from 'node:timers/promises';

/** Lets the event loop run after every few milliseconds of work that never has to wait. */
export class Turns {
  #pauseAt = performance.now() + WORK_MS;

  async pauseIfDue(): Promise<void> {
    if (performance.now() < this.#pauseAt) return;
    await setImmediate();
    this.#pauseAt = performance.now() + WORK_MS;
  }
}

const WORK_MS = 4;
