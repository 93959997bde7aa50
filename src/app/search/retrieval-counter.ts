import { errorReason, StoreLocked } from '../../domain/errors.js';
import {
  RETRIEVALS_COUNTED_WITHIN_MS,
  RETRIEVALS_WAITING_MAX,
  RETRY_COUNTING_MS,
  STOP_COUNTING_MS,
} from '../../domain/limits.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import { withTimeout } from '../../shared/concurrency.js';
import type { Project } from '../project.js';

export interface RetrievalCounterOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Counts retrievals without delaying the searches that caused them. While another process locks a store, its retrievals
 * wait in memory and are retried until they are written. The store combines simultaneous attempts into one write. After
 * any other failure, such as a full disk, or if too many are waiting, retrievals are dropped with a warning.
 */
export class RetrievalCounter {
  readonly #options: RetrievalCounterOptions;
  readonly #pending = new Set<Promise<void>>();
  #deadline = Number.POSITIVE_INFINITY;
  #waiting = 0;

  constructor(options: RetrievalCounterOptions) {
    this.#options = options;
  }

  /** Resolves when the retrievals are written, or after 50 ms. Never rejects. */
  async count(project: Project, chunkIds: readonly string[]): Promise<void> {
    if (chunkIds.length === 0) return;
    if (this.#waiting + chunkIds.length > RETRIEVALS_WAITING_MAX) {
      return this.#warn(new Error('Too many retrievals are waiting to be counted.'));
    }
    const { clock } = this.#options;
    const written = this.#write(project, chunkIds, clock.now());
    this.#track(written, chunkIds.length);
    await withTimeout(clock, RETRIEVALS_COUNTED_WITHIN_MS, () => written);
  }

  /** Keeps trying to write waiting counts for up to 2 s; drops the rest with a warning. */
  async stop(): Promise<void> {
    this.#deadline = this.#options.clock.monotonic() + STOP_COUNTING_MS;
    await Promise.all(this.#pending);
  }

  #track(written: Promise<void>, retrievals: number): void {
    this.#waiting += retrievals;
    this.#pending.add(written);
    void written.then(() => {
      this.#waiting -= retrievals;
      this.#pending.delete(written);
    });
  }

  async #write({ store }: Project, chunkIds: readonly string[], at: Date): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      try {
        return await store.chunks.record(chunkIds, at);
      } catch (failure) {
        if (!(failure instanceof StoreLocked) || clock.monotonic() >= this.#deadline) {
          return this.#warn(failure);
        }
        await clock.sleep(RETRY_COUNTING_MS);
      }
    }
  }

  #warn(failure: unknown): void {
    this.#options.logger.warn('Retrievals could not be counted; the search was not affected.', {
      reason: errorReason(failure),
    });
  }
}
