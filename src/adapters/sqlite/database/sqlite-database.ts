import type { Database } from 'better-sqlite3';
import { PromiseQueue } from '../../../shared/concurrency.js';
import { runStatement, runTask, type Task } from '../process/database-process.js';
import { type LongStatements, STATEMENTS } from '../process/long-statements.js';
import type { Connection } from './connection.js';
import { isDamage, toKnowledgeError, unavailable } from './errors.js';
import { isVeryLarge, readBirth } from './files.js';
import { lockLimit, prepareOnce, type RetryLimit, retryWhileBusy } from './statements.js';

interface SqliteDatabaseOptions {
  /** Opens the database. Called at the first use, and at the next use after it was closed. */
  readonly connect: () => Promise<Connection>;
  /** Folder of the database, for error messages; absent for a database in memory. */
  readonly folder?: string;
  /** Called before and after each use. */
  readonly onUse?: (moment: 'begins' | 'ends') => void;
  /** Called when the database proves to be damaged. */
  readonly onDamage: () => void;
  /** Aborting it ends the wait for locks that other processes hold. */
  readonly stopWaiting: AbortSignal;
}

/**
 * Runs work on the database of a project and translates its errors. Work is synchronous, so no transaction is open
 * while the event loop runs, and one connection serves both reads and writes. Waiting for a lock of another process
 * does not block the event loop.
 */
export class SqliteDatabase {
  readonly #options: SqliteDatabaseOptions;
  readonly #writes = new PromiseQueue();
  readonly #closing = new AbortController();
  #opening: Promise<Connection> | undefined;
  #opened: Connection | undefined;
  /** Set while the full-text indexes are being rebuilt. */
  #mend: Promise<boolean> | undefined;
  /** Id of the file that was opened first; no other file is this database. */
  #file: string | undefined;
  /** Path of that file, and when it was created. */
  #made: { readonly path: string; readonly at: bigint | undefined } | undefined;
  /** Set for good once the file was replaced, moved, deleted or changed by another program. */
  #isLost = false;
  /** Number of running calls, for which the connection stays open. */
  #uses = 0;

  constructor(options: SqliteDatabaseOptions) {
    this.#options = options;
  }

  /** Runs work on the last commit. For a very large database, another process runs `task` instead, if given. */
  read<T>(work: (db: Database) => T, task?: (path: string) => Task): Promise<T> {
    return this.#use((connection) =>
      retryWhileBusy(() => {
        this.#assertCurrent(connection);
        const { db, path } = connection;
        return task && path && isVeryLarge(path) ? runTask<T>(task(path)) : work(db);
      }, this.#limit()),
    );
  }

  /** Runs work in an immediate transaction, which is rolled back if it throws. Writes run in the order of the calls. */
  write<T>(work: (db: Database) => T): Promise<T> {
    const limit = this.#limit();
    return this.#writes.run(() => {
      // A database that was opened for reading only is opened again, since there may be disk space by now.
      if (this.#opened?.refusal !== undefined) this.closeIfUnused();
      return this.#use((connection) =>
        retryWhileBusy(() => this.#transaction(connection, work), limit),
      );
    });
  }

  /** Runs a statement that may take long. Other writes of this process wait until it ends. */
  runLong<Name extends keyof LongStatements>(
    name: Name,
  ): Promise<ReturnType<LongStatements[Name]>> {
    return this.#writes.run(() =>
      this.#use(({ db, path }) => {
        if (path !== undefined) return runStatement(name, path, this.#limit());
        return STATEMENTS[name](db) as ReturnType<LongStatements[Name]>;
      }),
    );
  }

  /** Marks the database as damaged, so that the next opening checks every page. */
  reportDamage(): void {
    this.#isLost = true;
    this.#options.onDamage();
  }

  get file(): string | undefined {
    return this.#file;
  }

  /** Whether the path still leads to this file, even while closed: a new file may get the inode of a deleted one. */
  isCurrent(): boolean {
    this.#isLost ||= !(this.#opened?.isCurrent() ?? this.#isSameFile());
    return !this.#isLost;
  }

  #isSameFile(): boolean {
    return this.#made === undefined || readBirth(this.#made.path) === this.#made.at;
  }

  /** Closes the connection unless it is in use. Returns whether it is closed; the next use opens it again. */
  closeIfUnused(): boolean {
    if (this.#uses === 0) this.#closeNow();
    return this.#uses === 0;
  }

  /** Closes the connection after the work in progress. Work that waits for a lock is cancelled. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writes.idle();
    await this.#opening?.catch(() => undefined);
    this.#closeNow();
  }

  #limit(): RetryLimit {
    return lockLimit(this.#closing.signal, this.#options.stopWaiting);
  }

  #transaction<T>(connection: Connection, work: (db: Database) => T): T {
    const { db, refusal } = connection;
    if (refusal !== undefined) throw refusal;
    prepareOnce(db, 'BEGIN IMMEDIATE').run();
    try {
      this.#assertCurrent(connection);
      const value = work(db);
      prepareOnce(db, 'COMMIT').run();
      return value;
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  #assertCurrent(connection: Connection): void {
    if (this.#isLost || !connection.isCurrent()) this.#giveUp();
  }

  #giveUp(): never {
    this.#isLost = true;
    throw unavailable('The knowledge store was moved, replaced or changed; try again.');
  }

  async #use<T>(work: Work<T>): Promise<T> {
    if (this.#closing.signal.aborted) throw unavailable('The store was closed; try again.');
    this.#uses += 1;
    this.#options.onUse?.('begins');
    try {
      this.#opening ??= this.#open();
      const connection = await this.#opening;
      return await this.#mending(connection, work);
    } catch (error) {
      if (isDamage(error)) this.reportDamage();
      throw toKnowledgeError(error, this.#options.folder);
    } finally {
      this.#uses -= 1;
      this.#options.onUse?.('ends');
    }
  }

  /** Runs work. If it fails because a full-text index is damaged, rebuilds the indexes and runs it again. */
  async #mending<T>(connection: Connection, work: Work<T>): Promise<T> {
    try {
      return await work(connection);
    } catch (error) {
      const { path } = connection;
      if (!isDamage(error) || path === undefined || this.#isLost) throw error;
      this.#mend ??= runStatement('mend', path, this.#limit()).finally(() => {
        this.#mend = undefined;
      });
      if (!(await this.#mend)) throw error;
      return await work(connection);
    }
  }

  async #open(): Promise<Connection> {
    try {
      const opened = await this.#options.connect();
      this.#opened = opened;
      this.#file ??= opened.file;
      const { path } = opened;
      if (path !== undefined) this.#made ??= { path, at: readBirth(path) };
      if (opened.file !== this.#file || !this.#isSameFile()) this.#giveUp();
      return opened;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  #closeNow(): void {
    this.#opened?.close();
    this.#opened = undefined;
    this.#opening = undefined;
  }
}

type Work<T> = (connection: Connection) => T | Promise<T>;
