import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { KnowledgeError } from '../../../domain/errors.js';
import { PromiseQueue } from '../../../domain/promise-queue.js';
import type { Connections } from './connections.js';
import { LazyConnections, type LazyConnectionsOptions } from './lazy-connections.js';
import { prepared } from './prepared.js';
import { SharedWrites } from './shared-writes.js';
import { isBusy, isDamage, toKnowledgeError } from './sqlite-errors.js';
import { LONGEST_PAUSE_MS, lockDeadline, pauseForLog, retryWhileBusy } from './waiting.js';

export interface ProjectDatabaseOptions extends LazyConnectionsOptions {
  /** Called before each piece of work that blocks this process. */
  readonly onWork?: () => void;
  /** Beyond this the write-ahead log slows writes down; default 32 MB. */
  readonly logMaxBytes?: number;
  /** Called when an operation finds the database damaged. */
  readonly onDamage: () => void;
  /** Once it is aborted, a lock that another process holds is no longer waited for. */
  readonly stopWaiting: AbortSignal;
  /** How long a lock that another process holds is waited for; default 15 s. */
  readonly lockTimeoutMs?: number;
}

/**
 * Runs work on a project's database and translates what it throws. The connections are opened by the first use, and again
 * by the next one after they were closed. Reads see the last commit. Writes are immediate transactions, one after the
 * other; a lock that another process holds is waited for without stopping the event loop, and not longer because others
 * wait for it too.
 */
export class ProjectDatabase {
  readonly #connections: LazyConnections;
  readonly #options: ProjectDatabaseOptions;
  readonly #writes = new PromiseQueue();
  readonly #closing = new AbortController();
  /** Each ends a wait. */
  readonly #signals: readonly AbortSignal[];

  constructor(options: ProjectDatabaseOptions) {
    this.#options = options;
    this.#connections = new LazyConnections(options);
    this.#signals = [this.#closing.signal, options.stopWaiting];
  }

  read<T>(work: (db: Database) => T): Promise<T> {
    return this.#use((connections) =>
      this.#retry(() => {
        this.#options.onWork?.();
        return work(connections.reader);
      }),
    );
  }

  /** `work` may await; its transaction is committed when it resolves and rolled back when it rejects. */
  async write<T>(work: (db: Database) => T | Promise<T>): Promise<T> {
    const deadline = lockDeadline(this.#options.lockTimeoutMs);
    const value = await this.#writes.run(() =>
      this.#use((connections) => this.#transaction(connections, work, deadline)),
    );
    await this.#waitForLog();
    return value;
  }

  /** For writes of which those that wait at the same time share a transaction. */
  sharedWriter(): Pick<SharedWrites, 'run'> {
    const writes = new SharedWrites((work) => this.write(work));
    return { run: (write) => this.#translated(() => writes.run(write)) };
  }

  /** Closes the connections soon; the next use opens the database again, checks it and mends what it derives. */
  markSuspect(): void {
    this.#options.onDamage();
  }

  /** Moves what was committed into the database file, as far as nobody is reading it from elsewhere. */
  async checkpoint(): Promise<void> {
    await this.#writes.idle();
    await this.#use(async ({ writer }) => writer?.pragma('wal_checkpoint(PASSIVE)'));
  }

  /** Whether the open files are still those of the path; true while none are open. */
  isCurrent(): boolean {
    return this.#connections.isCurrent();
  }

  /** Closes the connections unless they are in use, and returns whether they are closed; the next use opens them again. */
  closeIfUnused(): boolean {
    return this.#connections.closeIfUnused();
  }

  /** Closes the connections for good once the work under way is done; what waits for a lock is given up. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.#writes.idle();
    await this.#connections.close();
  }

  async #transaction<T>(
    connections: Connections,
    work: (db: Database) => T | Promise<T>,
    deadline: number,
  ): Promise<T> {
    const db = connections.writer;
    if (db === undefined) {
      throw new KnowledgeError(
        'store_unavailable',
        'The knowledge store is read-only here; make its directory writable.',
      );
    }
    this.#options.onWork?.();
    if (!hasBegun(db)) await this.#retry(() => begin(db), deadline);
    try {
      connections.assertCurrent();
      const result = work(db);
      const value = result instanceof Promise ? await result : result;
      prepared(db, 'COMMIT').run();
      return value;
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  #retry<T>(attempt: () => T, deadline = lockDeadline(this.#options.lockTimeoutMs)): Promise<T> {
    return retryWhileBusy(attempt, { deadline, signals: this.#signals });
  }

  /** Where somebody reads an earlier state of the database for long, writers are slowed down, so that the log stays short. */
  async #waitForLog(): Promise<void> {
    const isClosing = () => this.#signals.some(({ aborted }) => aborted);
    if (isClosing()) return;
    const { reader } = this.#connections.current ?? {};
    const pauseMs = reader === undefined ? 0 : pauseForLog(reader, this.#options.logMaxBytes);
    const until = performance.now() + pauseMs;
    while (performance.now() < until && !isClosing()) await sleep(LONGEST_PAUSE_MS);
  }

  #use<T>(work: (connections: Connections) => Promise<T>): Promise<T> {
    return this.#translated(() => this.#connections.use(work));
  }

  async #translated<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing.signal.aborted)
      throw new KnowledgeError('store_unavailable', 'The store was closed; try again.');
    try {
      return await work();
    } catch (error) {
      if (isDamage(error)) this.#options.onDamage();
      throw toKnowledgeError(error);
    }
  }
}

function begin(db: Database): void {
  prepared(db, 'BEGIN IMMEDIATE').run();
}

/** Begins at once where nobody holds the lock, so that work that does not wait for anything holds it for one turn only. */
function hasBegun(db: Database): boolean {
  try {
    begin(db);
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}
