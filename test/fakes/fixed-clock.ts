import type { Clock } from '../../src/ports/clock.js';

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** A clock that does not advance until a test moves it. */
export class FixedClock implements Clock {
  #now: number;
  #monotonic = 0;
  #sleepers: Sleeper[] = [];

  constructor(now = '2026-01-01T00:00:00.000Z') {
    this.#now = Date.parse(now);
  }

  /** How many sleeps have not ended. */
  get sleepers(): number {
    return this.#sleepers.length;
  }

  now(): Date {
    return new Date(this.#now);
  }

  monotonic(): number {
    return this.#monotonic;
  }

  /** Makes the wall-clock time jump without waking sleepers. */
  set(now: Date | string): void {
    this.#now = new Date(now).getTime();
  }

  /** Lets time pass and ends the sleeps that are over, the earliest first. */
  advance(ms: number): void {
    this.#now += ms;
    this.#monotonic += ms;
    const over = this.#sleepers.filter((sleeper) => sleeper.due <= this.#monotonic);
    this.#sleepers = this.#sleepers.filter((sleeper) => !over.includes(sleeper));
    for (const sleeper of over.toSorted((a, b) => a.due - b.due)) sleeper.wake();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const abort = () => this.#abort(sleeper);
      const wake = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const sleeper: Sleeper = { due: this.#monotonic + ms, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', abort);
    });
  }

  #abort(sleeper: Sleeper): void {
    this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
    sleeper.wake();
  }
}
