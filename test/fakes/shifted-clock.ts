import { systemClock } from '../../src/adapters/system/system-clock.js';
import type { Clock } from '../../src/ports/clock.js';

/** The clock of the system, which a test can put forward. */
export class ShiftedClock implements Clock {
  #shiftMs = 0;

  now(): Date {
    return new Date(systemClock.now().getTime() + this.#shiftMs);
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#shiftMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }

  shift(ms: number): void {
    this.#shiftMs += ms;
  }
}
