import { MODEL_CALL_WINDOW_MS, MODEL_CALLS_PER_WINDOW } from '../../domain/limits.js';
import {
  type CallTimes,
  NO_CALLS,
  type RateLimit,
  recordCall,
  waitBeforeCall,
} from '../../domain/upkeep/rate-limit.js';
import type { Clock } from '../../ports/driven/clock.js';

const LIMIT: RateLimit = { calls: MODEL_CALLS_PER_WINDOW, windowMs: MODEL_CALL_WINDOW_MS };

/**
 * Keeps background work to 10 calls of the language model in any 60 seconds, over the whole process
 * (docs/specification.md, "HyPE"). Calls that somebody waits for are counted but never held up.
 */
export class CallLimiter {
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  #times: CallTimes = NO_CALLS;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Resolves when a background call may start, which it then counts as.
   * @throws Error once the limiter is stopped
   */
  async admit(): Promise<void> {
    let wait = this.#wait();
    while (wait > 0 && !this.#stopping.signal.aborted) {
      await this.#clock.sleep(wait, this.#stopping.signal);
      wait = this.#wait();
    }
    if (this.#stopping.signal.aborted) throw new Error('The service is stopping.');
    this.record();
  }

  /** Counts a call that starts now. */
  record(): void {
    this.#times = recordCall(this.#times, this.#clock.monotonic(), LIMIT);
  }

  /** Ends the waiting; no further background call starts. */
  stop(): void {
    this.#stopping.abort();
  }

  #wait(): number {
    return waitBeforeCall(this.#times, this.#clock.monotonic(), LIMIT);
  }
}
