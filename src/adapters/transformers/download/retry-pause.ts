import type { Clock } from '../../../ports/driven/clock.js';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** Delays the next attempt after a failure: 1 s, doubling up to 5 minutes. */
export class RetryPause {
  readonly #clock: Clock;
  #nextPauseMs = FIRST_PAUSE_MS;
  #failure: { readonly reason: string; readonly until: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Why the last attempt failed; undefined after a success and before the first attempt. */
  get failure(): string | undefined {
    return this.#failure?.reason;
  }

  /** Milliseconds until the next attempt; 0 when it may be made. */
  remainingMs(): number {
    return Math.max(0, (this.#failure?.until ?? 0) - this.#clock.monotonic());
  }

  /** Returns the length of the pause that now begins. */
  failed(reason: string): number {
    const pauseMs = this.#nextPauseMs;
    this.#failure = { reason, until: this.#clock.monotonic() + pauseMs };
    this.#nextPauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    return pauseMs;
  }

  succeeded(): void {
    this.#failure = undefined;
    this.#nextPauseMs = FIRST_PAUSE_MS;
  }
}
