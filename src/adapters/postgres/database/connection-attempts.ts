import { backoffMs } from '../../../domain/backoff.js';
import { KnowledgeError } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/driven/clock.js';
import type { Logger } from '../../../ports/driven/logger.js';
import { codeOf, isConnectionLoss, LOST, toConnectionError } from './postgres-errors.js';

interface AttemptsOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
}

/**
 * Keeps requests from waiting for a server that does not answer: after a failed attempt to connect, further ones
 * fail at once until a pause has passed, which doubles from 0.1 to 5 seconds, and then while one of them tries.
 */
export class ConnectionAttempts {
  readonly #options: AttemptsOptions;
  #made = 0;
  #failures = 0;
  #pausedUntil = 0;
  #isTrying = false;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  get connectionsMade(): number {
    return this.#made;
  }

  /** @throws KnowledgeError `store_unavailable` also without an attempt */
  async run<T>(connect: () => Promise<T>): Promise<T> {
    const isRetry = this.#failures > 0;
    const isPaused = this.#options.clock.monotonic() < this.#pausedUntil;
    if (isPaused || (isRetry && this.#isTrying)) {
      throw new KnowledgeError('store_unavailable', LOST);
    }
    this.#isTrying = isRetry;
    try {
      const connected = await connect();
      this.#failures = 0;
      return connected;
    } catch (error) {
      if (isConnectionLoss(error)) this.failed(error);
      throw toConnectionError(error);
    } finally {
      if (isRetry) this.#isTrying = false;
    }
  }

  /** Call for each connection that was made. */
  succeeded(): void {
    this.#made += 1;
  }

  /** Call where the server did not answer. */
  failed(error: unknown): void {
    const { clock, logger } = this.#options;
    this.#failures += 1;
    const pauseMs = backoffMs(PAUSES, this.#failures);
    this.#pausedUntil = clock.monotonic() + pauseMs;
    // Who cannot connect at the start is told so by the error.
    if (this.#made === 0) return;
    logger.warn('The PostgreSQL server does not answer.', { reason: codeOf(error), pauseMs });
  }
}

const PAUSES = { firstMs: 100, longestMs: 5000 };
