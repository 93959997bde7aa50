import type { ClientBase, PoolClient } from 'pg';
import { KnowledgeError } from '../../../domain/errors.js';
import { STORE_LOCK_TIMEOUT_MS } from '../../../domain/limits.js';
import type { Clock } from '../../../ports/clock.js';
import type { Logger } from '../../../ports/logger.js';
import { Backoff } from '../../../shared/backoff.js';
import {
  type Connections,
  cancelWaiting,
  connectionsTo,
  STATEMENT_TIMEOUT_MS,
} from './connections.js';
import {
  isConnectionLoss,
  isMissingObject,
  isSerializationFailure,
  isSilence,
  LOST,
  retried,
  sqlState,
  toConnectionError,
  toKnowledgeError,
} from './postgres-errors.js';
import { inTransaction, sessionOf, type Work, WRITE_TIMEOUT_MS } from './session.js';

interface DatabaseOptions {
  /** `postgres://…`, with user and password where the server asks for them. */
  readonly url: string;
  /** Most connections at once. */
  readonly connections: number;
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly logger: Logger;
  /** Aborted when nothing should wait for other processes any more. */
  readonly stopWaiting?: AbortSignal | undefined;
  /** Called when a statement found that a table or a schema is missing. */
  readonly onMissingObject: () => void;
}

/** A pool of connections to one PostgreSQL database, made on first use. Translates what it throws. */
export class PostgresDatabase {
  readonly #options: DatabaseOptions;
  readonly #pause: Backoff;
  #isRetrying = false;
  #wasReached = false;
  #connections: Promise<Connections> | undefined;
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#pause = new Backoff(BACKOFF, () => options.clock.monotonic());
    options.stopWaiting?.addEventListener('abort', () => void this.#cancelWaiting());
  }

  /** Runs statements that only read. If the connection breaks, they run once more on another. */
  read<T>(work: Work<T>): Promise<T> {
    const isWorthIt = (error: unknown) =>
      isConnectionLoss(error) && !isSilence(error) && !this.#isClosed;
    return this.#tracked(() => retried(2, isWorthIt, () => this.#inPool(work, READ_WAIT_MS)));
  }

  /** The rows of one statement that only reads. */
  rows<Row extends object>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    return this.read((session) => session.query<Row>(sql, values));
  }

  /** The rows of one statement that writes, outside of a transaction. */
  write<Row extends object>(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#tracked(() => this.#inPool((session) => session.query(sql, values), READ_WAIT_MS));
  }

  /** `work` is committed when it resolves and rolled back when it rejects; it runs again after a deadlock. */
  transaction<T>(work: Work<T>): Promise<T> {
    const attempt = () => {
      const waitMs = this.#options.stopWaiting?.aborted ? 1 : STORE_LOCK_TIMEOUT_MS;
      return this.#inPool((session) => inTransaction(session, waitMs, work), WRITE_WAIT_MS);
    };
    return this.#tracked(() => retried(ATTEMPTS, isSerializationFailure, attempt));
  }

  /** Cancels what waits, and waits for other operations, but not for ever; later ones fail. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const connections = await this.#connections?.catch(() => undefined);
    if (connections === undefined) return;
    this.#connections = undefined;
    const ended = Promise.allSettled(this.#running).then(() => connections.pool.end());
    const waiting = new AbortController();
    const timeout = this.#options.clock.sleep(CLOSING_TIMEOUT_MS, waiting.signal);
    await Promise.race([ended, timeout]);
    waiting.abort();
    if (this.#running.size > 0) connections.destroy();
    await ended;
  }

  /** Ends every statement that waits for a lock. Never rejects. */
  async #cancelWaiting(): Promise<void> {
    const connections = await this.#connections?.catch(() => undefined);
    if (connections === undefined || this.#running.size === 0) return;
    const { logger } = this.#options;
    await cancelWaiting(connections).catch((error) =>
      logger.debug('Statements could not be cancelled.', { reason: sqlState(error) }),
    );
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

  async #inPool<T>(work: Work<T>, timeoutMs: number): Promise<T> {
    const client = await this.#connected<PoolClient>(({ pool }) => pool.connect());
    let failure: unknown;
    try {
      return await work(sessionOf(client, timeoutMs));
    } catch (error) {
      failure = error;
      if (isSilence(error)) this.#pauseAfter(error);
      throw error;
    } finally {
      client.release(isConnectionLoss(failure));
    }
  }

  /** While the server does not answer, requests fail at once, but for one at a time after each pause. */
  async #connected<T extends ClientBase>(
    connect: (connections: Connections) => Promise<T>,
  ): Promise<T> {
    const isRetry = this.#pause.failure !== undefined;
    if (this.#pause.remainingMs() > 0 || (isRetry && this.#isRetrying))
      throw new KnowledgeError('store_unavailable', LOST);
    this.#isRetrying = isRetry;
    try {
      this.#connections ??= connectionsTo(this.#options);
      const connected = await connect(await this.#connections);
      this.#pause.succeeded();
      this.#wasReached = true;
      return connected;
    } catch (error) {
      if (isConnectionLoss(error)) this.#pauseAfter(error);
      throw toConnectionError(error);
    } finally {
      if (isRetry) this.#isRetrying = false;
    }
  }

  #pauseAfter(error: unknown): void {
    if (this.#pause.remainingMs() > 0) return;
    const reason = sqlState(error);
    const pauseMs = this.#pause.failed(reason);
    // Before the first connection, only the error of the start says it.
    if (this.#wasReached)
      this.#options.logger.warn('The PostgreSQL server does not answer.', { reason, pauseMs });
  }
}

const ATTEMPTS = 3;
const BACKOFF = { firstMs: 100, longestMs: 5000 };
/** How long to wait for a server after its own time limit. */
const READ_WAIT_MS = STATEMENT_TIMEOUT_MS + 2000;
const WRITE_WAIT_MS = WRITE_TIMEOUT_MS + 2000;
const CLOSING_TIMEOUT_MS = 8_000;

/** What the stores of one project share. */
export interface ProjectContext {
  readonly database: PostgresDatabase;
  /** The name of the schema of the project; safe in SQL. */
  readonly schema: string;
  readonly projectPath: string;
  readonly clock: Clock;
}
