import { type Backoff, backoffMs } from '../../../domain/backoff.js';
import type { Clock } from '../../../ports/driven/clock.js';

const PAUSES: Backoff = { firstMs: 1000, longestMs: 5 * 60_000 };

/** Delays the next attempt after a failure: 1 s, doubling up to 5 minutes. */
export class RetryPause {
  readonly #clock: Clock;
  #failures = 0;
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

  /** Records a failure and returns the length of the pause that begins now, in milliseconds. */
  failed(reason: string): number {
    this.#failures += 1;
    const pauseMs = backoffMs(PAUSES, this.#failures);
    this.#failure = { reason, until: this.#clock.monotonic() + pauseMs };
    return pauseMs;
  }

  succeeded(): void {
    this.#failure = undefined;
    this.#failures = 0;
  }
}
