import type { Pool, PoolClient } from 'pg';
import { backoffMs } from '../../../domain/backoff.js';
import { KnowledgeError } from '../../../domain/errors.js';
import { STORE_LOCK_TIMEOUT_MS } from '../../../domain/limits.js';
import type { Clock } from '../../../ports/driven/clock.js';
import type { Logger } from '../../../ports/driven/logger.js';
import { createPool } from './create-pool.js';
import {
  codeOf,
  isConnectionLoss,
  isMissingObject,
  isSerializationFailure,
  toConnectionError,
  toKnowledgeError,
} from './postgres-errors.js';
import { type Session, sessionOf } from './session.js';

export interface DatabaseOptions {
  /** `postgres://…`, with user and password where the server asks for them. */
  readonly url: string;
  /** Most connections at once. */
  readonly connections: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
  /** Called when a statement found that a table or a schema is missing. */
  readonly onMissingObject: () => void;
}

/**
 * A pool of connections to one PostgreSQL database, made on first use. Translates what it throws. A
 * connection that dies is replaced; after a failed attempt to connect, further ones fail at once until a
 * pause has passed, which doubles from 0.1 to 5 seconds.
 */
export class PostgresDatabase {
  readonly #options: DatabaseOptions;
  #pool: Promise<Pool> | undefined;
  #failures = 0;
  #connectionsMade = 0;
  #pausedUntil = 0;
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  /** How often a connection was made: a restart of the server ends all of them. */
  get connectionsMade(): number {
    return this.#connectionsMade;
  }

  /** Runs statements that only read. If the connection ends meanwhile, they run once more on another. */
  read<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#tracked(async () => {
      try {
        return await this.#onConnection(work);
      } catch (error) {
        if (!isConnectionLoss(error) || this.#isClosed) throw error;
        return this.#onConnection(work);
      }
    });
  }

  /** Runs one statement that writes, outside of a transaction. */
  write<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#tracked(() => this.#onConnection(work));
  }

  /** `work` is committed when it resolves and rolled back when it rejects; it runs again after a deadlock. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#tracked(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#onConnection((session) => inTransaction(session, work));
        } catch (error) {
          if (attempt === ATTEMPTS || !isSerializationFailure(error)) throw error;
        }
      }
    });
  }

  /** For statements that take minutes and may not run in a transaction; the connection is closed afterwards. */
  longRunning(work: (session: Session) => Promise<void>): Promise<void> {
    return this.#tracked(async () => {
      const client = await this.#connect();
      try {
        const session = sessionOf(client);
        await session.execute('SET statement_timeout = 0');
        await work(session);
      } finally {
        client.release(true);
      }
    });
  }

  /** Waits for running operations; later ones fail. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
    const pool = this.#pool;
    this.#pool = undefined;
    await (await pool?.catch(() => undefined))?.end();
  }

  async #tracked<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed)
      throw new KnowledgeError('store_unavailable', 'The store was closed; try again.');
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      if (isMissingObject(error)) this.#options.onMissingObject();
      throw toKnowledgeError(error);
    } finally {
      this.#running.delete(running);
    }
  }

  async #onConnection<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let failure: unknown;
    try {
      return await work(sessionOf(client));
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      client.release(isConnectionLoss(failure));
    }
  }

  async #connect(): Promise<PoolClient> {
    const { clock } = this.#options;
    if (clock.monotonic() < this.#pausedUntil) {
      throw new KnowledgeError(
        'store_unavailable',
        'The PostgreSQL server of the knowledge store does not answer; try again shortly.',
      );
    }
    const onConnect = () => {
      this.#connectionsMade += 1;
    };
    this.#pool ??= createPool({ ...this.#options, onConnect });
    try {
      const client = await (await this.#pool).connect();
      this.#failures = 0;
      return client;
    } catch (error) {
      if (isConnectionLoss(error)) this.#pause(error);
      throw toConnectionError(error);
    }
  }

  #pause(error: unknown): void {
    const { clock, logger } = this.#options;
    this.#failures += 1;
    const pauseMs = backoffMs(RECONNECTING, this.#failures);
    this.#pausedUntil = clock.monotonic() + pauseMs;
    // Who cannot connect at the start is told so by the error.
    if (this.#connectionsMade === 0) return;
    logger.warn('The PostgreSQL server does not answer.', { reason: codeOf(error), pauseMs });
  }
}

const ATTEMPTS = 3;
const RECONNECTING = { firstMs: 100, longestMs: 5000 };
/** A statement of a write may first wait for the lock of another process. */
const WRITE_TIMEOUT_MS = 2 * STORE_LOCK_TIMEOUT_MS;

async function inTransaction<T>(
  session: Session,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  await session.execute(
    `BEGIN; SET LOCAL lock_timeout = ${STORE_LOCK_TIMEOUT_MS};
     SET LOCAL statement_timeout = ${WRITE_TIMEOUT_MS}`,
  );
  try {
    const result = await work(session);
    await session.execute('COMMIT');
    return result;
  } catch (error) {
    if (!isConnectionLoss(error)) await session.execute('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
