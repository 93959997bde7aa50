import type { PoolClient } from 'pg';
import { KnowledgeError } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/clock.js';
import type { Logger } from '../../../ports/logger.js';
import { type Connections, connectionsTo, STATEMENT_TIMEOUT_MS } from './connections.js';
import {
  isConnectionLoss,
  isMissingObject,
  isReadOnly,
  isSerializationFailure,
  isSilence,
  retry,
  toConnectionError,
  toKnowledgeError,
} from './postgres-errors.js';
import {
  inTransaction,
  openSession,
  type Session,
  type Work,
  WRITE_TIMEOUT_MS,
  withoutHurry,
} from './session.js';

interface DatabaseOptions {
  /** `postgres://…` with one host or several, and with user and password if the server asks for them. */
  readonly url: string;
  /** Maximum number of connections. */
  readonly connections: number;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Logger;
  /** Aborted when a stop begins: statements still running after a few seconds are cancelled. */
  readonly stopping?: AbortSignal | undefined;
  /** Called when a statement finds that a table or a schema is missing. */
  readonly onMissingObject: () => void;
}

/** A pool of connections to one PostgreSQL database, created on first use. Translates errors. */
export class PostgresDatabase {
  readonly #options: DatabaseOptions;
  #connections: Promise<Connections> | undefined;
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;
  #lastMoment: Promise<void> | undefined;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    options.stopping?.addEventListener('abort', () => void this.#breakOff());
  }

  /** Runs statements that only read. If the connection breaks, runs them once more on another one. */
  read<T>(work: Work<T>, timeoutMs = READ_WAIT_MS): Promise<T> {
    const isWorthIt = (error: unknown) => isBrokenConnection(error) && !this.#isClosed;
    return this.#tracked(() => retry(2, isWorthIt, () => this.#inPool(work, timeoutMs)));
  }

  /** Returns the rows of one statement that only reads. */
  rows<Row extends object>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    return this.read((session) => session.query<Row>(sql, values));
  }

  /** Returns the rows of one statement that only reads, for background work: it may take as long as a write. */
  slowRows<Row extends object>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    const query = (session: Session) => session.query<Row>(sql, values);
    return this.read((session) => withoutHurry(session, query), WRITE_WAIT_MS);
  }

  /**
   * Returns the rows of one statement that writes, outside a transaction. Retries it in the same cases as
   * `transaction`.
   */
  write<Row extends object>(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const attempt = () => this.#inPool((session) => session.query<Row>(sql, values), READ_WAIT_MS);
    return this.#tracked(() => retry(ATTEMPTS, isWorthAnAttempt, attempt));
  }

  /**
   * Runs `work` in a transaction, which commits when `work` resolves and rolls back when it rejects. Retries after a
   * deadlock or serialization failure, or if the server accepts no writes.
   */
  transaction<T>(work: Work<T>): Promise<T> {
    const attempt = () => this.#inPool((session) => inTransaction(session, work), WRITE_WAIT_MS);
    return this.#tracked(() => retry(ATTEMPTS, isWorthAnAttempt, attempt));
  }

  /** Waits for running operations, but not for long; later ones fail. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const connections = await this.#connections?.catch(() => undefined);
    if (connections === undefined) return;
    this.#connections = undefined;
    const ended = Promise.allSettled(this.#running).then(() => connections.end());
    await Promise.race([ended, this.#untilLastMoment()]);
    if (this.#running.size > 0) connections.destroy();
    await ended;
  }

  /**
   * Cancels statements that still run some time after a stop has begun. `close` would be too late, because it is called
   * only after background work has ended.
   */
  async #breakOff(): Promise<void> {
    await this.#untilLastMoment();
    const connections = await this.#connections?.catch(() => undefined);
    if (this.#running.size > 0) connections?.destroy();
  }

  #untilLastMoment(): Promise<void> {
    this.#lastMoment ??= this.#options.clock.sleep(CLOSING_TIMEOUT_MS, NEVER);
    return this.#lastMoment;
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
    const client = await this.#connect();
    let failure: unknown;
    try {
      return await work(openSession(client, timeoutMs));
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      client.release(isConnectionLoss(failure));
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      this.#connections ??= connectionsTo(this.#options);
      return await (await this.#connections).connect();
    } catch (error) {
      throw toConnectionError(error);
    }
  }
}

/** Whether nothing was committed, and a retry may succeed. */
function isWorthAnAttempt(error: unknown): boolean {
  return isSerializationFailure(error) || isReadOnly(error);
}

/**
 * Whether a connection broke that had been made. A failure to connect is not retried, since it has taken long enough.
 */
function isBrokenConnection(error: unknown): boolean {
  return isConnectionLoss(error) && !isSilence(error) && !(error instanceof KnowledgeError);
}

const ATTEMPTS = 5;
/** How long to wait for a response: a little longer than the server's own time limit. */
const READ_WAIT_MS = STATEMENT_TIMEOUT_MS + 2000;
const WRITE_WAIT_MS = WRITE_TIMEOUT_MS + 2000;
/** A stop takes 10 seconds at most, of which requests may already have used 3. */
const CLOSING_TIMEOUT_MS = 5_000;
/** Passed to `sleep` because a pause with a signal does not keep the process alive. */
const NEVER = new AbortController().signal;

/** What the stores of one project share. */
export interface ProjectContext {
  readonly database: PostgresDatabase;
  /** Name of the project's schema; needs no quoting in SQL. */
  readonly schema: string;
  readonly projectPath: string;
  readonly clock: Clock;
}
