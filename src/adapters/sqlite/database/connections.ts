import type { Database } from 'better-sqlite3';
import { KnowledgeError } from '../../../domain/errors.js';
import {
  type FileIdentity,
  fileId,
  isSameFile,
  logOf,
  moveLogAway,
  sizeOf,
} from './file-identity.js';
import { prepared } from './prepared.js';
import { isBusy } from './sqlite-errors.js';

interface ConnectionsOptions {
  readonly path: string;
  /** The `fileId` of the path before it was opened: another file may be there by now. */
  readonly file: string | undefined;
  /** Absent where the database cannot be written: `open` then returns the only connection. */
  readonly writer?: Database;
  /** Opens another connection, which cannot write. Calls `check` before SQLite reads anything, and closes the connection where that throws. */
  readonly open: (check: () => void) => Database;
  /** A new name for a write-ahead log whose database is elsewhere. */
  readonly asideName: () => string;
}

/**
 * What this process has open of one database file: a connection for writing, which also reads while no transaction is under way,
 * and one for reading meanwhile, which is opened when it is first needed.
 */
export class Connections {
  readonly writer: Database | undefined;
  readonly #options: ConnectionsOptions;
  readonly #identity: FileIdentity;
  #reader: Database | undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.writer = options.writer;
    const log = fileId(logOf(options.path));
    const isThere = fileId(options.path) === options.file;
    this.#identity = { file: options.file, log: isThere ? log : undefined };
  }

  /** The `fileId` of the database. */
  get file(): string | undefined {
    return this.#options.file;
  }

  /**
   * A connection that sees what was committed, and nothing else. SQLite finds the log and its index by their paths: it would
   * apply the log of the former database to a file that has taken its place, and closing that file would release the locks that
   * the writer holds on the index.
   */
  get reader(): Database {
    if (this.writer !== undefined && !this.writer.inTransaction) return this.writer;
    this.assertCurrent();
    this.#reader ??= this.#options.open(() => this.assertCurrent());
    return this.#reader;
  }

  /** Runs work in an immediate transaction, which `retry` begins where another process holds the lock. */
  async transaction<T>(
    work: (db: Database) => T | Promise<T>,
    retry: (begin: () => void) => Promise<void>,
  ): Promise<T> {
    const db = this.writer;
    if (db === undefined) {
      throw unavailable('The knowledge store is read-only here; make its directory writable.');
    }
    // At once where nobody holds the lock, so that work that does not wait for anything holds it for one turn only.
    if (!hasBegun(db)) await retry(() => begin(db));
    try {
      this.assertCurrent();
      const result = work(db);
      const value = result instanceof Promise ? await result : result;
      if (result instanceof Promise) this.assertCurrent(); // it may have waited for long
      prepared(db, 'COMMIT').run();
      return value;
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Whether the database and its log are still the files of this path. */
  isCurrent(): boolean {
    return isSameFile(this.#options.path, this.#identity);
  }

  /** @throws KnowledgeError `store_unavailable` if they are not */
  assertCurrent(): void {
    if (this.isCurrent()) return;
    throw unavailable('The knowledge store was moved or replaced; try again.');
  }

  /**
   * SQLite moves the log of the last connection into the database, but not if that was moved or replaced: then this does
   * it, and moves the log away, which SQLite would apply to the next file at this path.
   */
  close(): void {
    this.#reader?.close();
    if (this.writer === undefined) return;
    try {
      if (!this.isCurrent()) this.#leaveLog(this.writer);
    } finally {
      this.writer.close();
    }
  }

  /** Under the write lock, so that nobody commits into a log that is moved away. */
  #leaveLog(writer: Database): void {
    const { path, asideName } = this.#options;
    for (let attempt = 1; attempt <= CHECKPOINTS_MAX; attempt += 1) {
      writer.pragma('wal_checkpoint(TRUNCATE)');
      writer.exec('BEGIN IMMEDIATE');
      const isLast = attempt === CHECKPOINTS_MAX || sizeOf(`${path}-wal`) === 0;
      if (isLast) moveLogAway(path, this.#identity, asideName());
      writer.exec('ROLLBACK');
      if (isLast) return;
    }
  }
}

const CHECKPOINTS_MAX = 3;

export function unavailable(message: string): KnowledgeError {
  return new KnowledgeError('store_unavailable', message);
}

function begin(db: Database): void {
  prepared(db, 'BEGIN IMMEDIATE').run();
}

function hasBegun(db: Database): boolean {
  try {
    begin(db);
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}
