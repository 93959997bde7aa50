/** Delays the next attempt after a failure; each pause is twice as long as the one before. */
export class Backoff {
  readonly #backoff: BackoffOptions;
  readonly #now: () => number;
  #failures = 0;
  #failure: { readonly reason: string; readonly until: number } | undefined;

  /** @param now milliseconds on a clock that never goes back */
  constructor(backoff: BackoffOptions, now: () => number) {
    this.#backoff = backoff;
    this.#now = now;
  }

  /** Why the last attempt failed; undefined after a success and before the first attempt. */
  get failure(): string | undefined {
    return this.#failure?.reason;
  }

  /** Milliseconds until the next attempt; 0 if it may start now. */
  remainingMs(): number {
    return Math.max(0, (this.#failure?.until ?? 0) - this.#now());
  }

  /**
   * Records a failure and returns the length of the pause that begins now, in milliseconds.
   * @param atLeastMs the pause that was requested
   */
  failed(reason: string, atLeastMs = 0): number {
    this.#failures += 1;
    const pauseMs = Math.max(atLeastMs, backoffMs(this.#backoff, this.#failures));
    this.#failure = { reason, until: this.#now() + pauseMs };
    return pauseMs;
  }

  succeeded(): void {
    this.#failure = undefined;
    this.#failures = 0;
  }
}

/** Exponential backoff: pauses double from `firstMs` up to `longestMs`. */
export interface BackoffOptions {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The pause before the next retry, after `failures` failures in a row (at least 1). */
export function backoffMs({ firstMs, longestMs }: BackoffOptions, failures: number): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1));
}
