import { MODEL_CALL_WINDOW_MS, MODEL_CALLS_PER_WINDOW } from '../../domain/limits.js';
import type { Clock } from '../../ports/clock.js';

/**
 * Keeps the questions of all projects to 10 calls of the generator in any 60 seconds (docs/specification.md, "HyPE").
 */
export class CallLimiter {
  readonly #clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly #stopping = new AbortController();
  /** When the last calls started, oldest first; as many as a window may have. */
  #starts: readonly number[] = [];

  constructor(clock: Pick<Clock, 'monotonic' | 'sleep'>) {
    this.#clock = clock;
  }

  /**
   * Resolves when a call may start, which it then counts as.
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

  /** Whole milliseconds until the first of the last calls is out of the window, if they fill one. */
  #wait(): number {
    const [first = 0] = this.#starts;
    if (this.#starts.length < MODEL_CALLS_PER_WINDOW) return 0;
    return Math.max(0, Math.ceil(first + MODEL_CALL_WINDOW_MS - this.#clock.monotonic()));
  }
}
