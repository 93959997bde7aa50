import { MODEL_CALL_WINDOW_MS, MODEL_CALLS_PER_WINDOW } from '../../domain/limits.js';
import type { Clock } from '../../ports/clock.js';

/**
 * Limits the generation of questions for all projects to 10 calls in any 60 seconds (docs/specification.md, "HyPE").
 */
export class CallLimiter {
  readonly #clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly #stopping = new AbortController();
  /** Start times of the last calls, oldest first; at most as many as a window allows. */
  #starts: readonly number[] = [];

  constructor(clock: Pick<Clock, 'monotonic' | 'sleep'>) {
    this.#clock = clock;
  }

  /**
   * Resolves when a call may start, and counts it.
   * @throws Error once the limiter is stopped
   */
  async admit(): Promise<void> {
    let wait = this.#wait();
    while (wait > 0 && !this.#stopping.signal.aborted) {
      await this.#clock.sleep(wait, this.#stopping.signal);
      wait = this.#wait();
    }
    if (this.#stopping.signal.aborted) throw new Error('The service is stopping.');

    this.#starts = [...this.#starts, this.#clock.monotonic()].slice(-MODEL_CALLS_PER_WINDOW);
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Whole milliseconds until the oldest call leaves the window, if the window is full. */
  #wait(): number {
    const [first = 0] = this.#starts;
    if (this.#starts.length < MODEL_CALLS_PER_WINDOW) return 0;
    return Math.max(0, Math.ceil(first + MODEL_CALL_WINDOW_MS - this.#clock.monotonic()));
  }
}
