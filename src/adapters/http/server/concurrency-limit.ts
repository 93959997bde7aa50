import { KnowledgeError } from '../../../domain/errors.js';

/** Limits the number of tasks that run at the same time; refuses every task once it is closed. */
export class ConcurrencyLimit {
  readonly #maxInFlight: number;
  #inFlight = 0;
  #closed = false;

  constructor(maxInFlight: number) {
    this.#maxInFlight = maxInFlight;
  }

  /** Tasks that run. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** @throws KnowledgeError `store_unavailable` when closed, `overloaded` when full; the task is not started */
  async run<T>(task: () => Promise<T>): Promise<T> {
    this.assertOpen();
    if (this.#inFlight >= this.#maxInFlight) {
      throw new KnowledgeError(
        'overloaded',
        'Too many requests are in progress; try again shortly.',
      );
    }
    this.#inFlight += 1;
    try {
      return await task();
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** @throws KnowledgeError `store_unavailable` when closed */
  assertOpen(): void {
    if (this.#closed) {
      throw new KnowledgeError('store_unavailable', 'The service is stopping; try again shortly.');
    }
  }

  /** Does not affect tasks that are already running. */
  close(): void {
    this.#closed = true;
  }
}
