import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { reasonOf } from '../../../domain/errors.js';
import { DATABASE_FILE } from '../../../domain/project-layout.js';
import { migrate, migrateSuspect, needsMigration } from '../schema/migration.js';
import { refuseDatabase } from '../schema/refusal.js';
import { checkSchema } from '../schema/schema-check.js';
import { isCheckedFile, rememberCheckedFile } from './checked-file.js';
import { registerFunctions } from './functions.js';
import { lockDeadline, retryWhileBusy } from './lock-waiting.js';
import { limitLog } from './log-size.js';
import { assertReadable, checkPages } from './page-check.js';
import { isForeignSchema, isNotWritable } from './sqlite-errors.js';
import { createPrivateFile, openFile, sizeOf } from './store-files.js';

/** A `suspect` database has shown damage: its pages are checked and its full-text index is made again. */
export type Trust = 'trusted' | 'suspect';

/**
 * Opens a project's database, which is created where it is missing, checked, and brought up to date.
 * Where it cannot be written it is opened for reading, if its schema is current.
 */
export async function openDatabase(
  directory: string,
  { trust, dimensions, stopWaiting, lockTimeoutMs, logMaxBytes }: OpenOptions,
): Promise<Connections> {
  const path = join(directory, DATABASE_FILE);
  const configure: Configure = (db) => {
    configured(db, dimensions);
    limitLog(db, logMaxBytes);
    return db;
  };
  const retry: Retry = (attempt) =>
    retryWhileBusy(attempt, { deadline: lockDeadline(lockTimeoutMs), signals: [stopWaiting] });
  try {
    return await openForWriting(path, trust, { configure, retry });
  } catch (error) {
    if (isForeignSchema(error)) refuseDatabase(`SQLite says "${reasonOf(error)}"`);
    if (!isNotWritable(error) || sizeOf(path) === 0) throw error;
    return openForReading(path, error, configure);
  }
}

/** The two connections of a project's database. A read-only database has one, used as `reader`. */
export interface Connections {
  readonly reader: Database.Database;
  readonly writer?: Database.Database;
}

export function closeConnections({ reader, writer }: Connections): void {
  reader.close();
  writer?.close();
}

export interface OpenOptions {
  readonly trust: Trust;
  /** Values of a vector that counts. */
  readonly dimensions: number;
  /** Ends the wait for a lock that another process holds. */
  readonly stopWaiting: AbortSignal;
  /** How long a lock that another process holds is waited for; default 15 s. */
  readonly lockTimeoutMs?: number;
  /** The write-ahead log is cut to this length when it is emptied; default 32 MB. */
  readonly logMaxBytes?: number;
}

/** Prepares a connection. */
type Configure = (db: Database.Database) => Database.Database;

/** Tries again while another process holds the lock. */
type Retry = <T>(attempt: () => T) => Promise<T>;

interface Means {
  readonly configure: Configure;
  readonly retry: Retry;
}

async function openForWriting(
  path: string,
  trust: Trust,
  { configure, retry }: Means,
): Promise<Connections> {
  const isUnfinished = hasUnfinishedWork(path);
  createPrivateFile(path);
  const writer = await retry(() => configure(openFile(path)));
  try {
    await retry(() => checkSchema(writer));
    await retry(() => writer.pragma('journal_mode = WAL'));
    const isKnown = await retry(() => isCheckedFile(writer, path));
    const isDoubtful = trust === 'suspect' || isUnfinished || !isKnown;
    const isOutOfStep = isDoubtful && (await retry(() => hasIndexesOutOfStep(writer)));
    await bringUpToDate(writer, isOutOfStep ? 'suspect' : trust, retry);
    if (!isKnown) rememberCheckedFile(writer, path);
    const reader = await retry(() => configure(openFile(path)));
    reader.pragma('query_only = ON');
    return { reader, writer };
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Reads the schema, which another process may have locked while it switches to WAL or recovers from one. */
function configured(db: Database.Database, dimensions: number): Database.Database {
  try {
    registerFunctions(db, dimensions);
    for (const setting of CONNECTION_SETTINGS) db.pragma(setting);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const CONNECTION_SETTINGS = [
  'trusted_schema = OFF',
  'cell_size_check = ON',
  'mmap_size = 0',
  'foreign_keys = ON',
  'synchronous = NORMAL',
] as const;

async function bringUpToDate(db: Database.Database, trust: Trust, retry: Retry): Promise<void> {
  const isBehind = () => trust === 'suspect' || needsMigration(db);
  if (!(await retry(isBehind))) return;
  await retry(() => db.exec('BEGIN IMMEDIATE'));
  try {
    if (trust === 'suspect') migrateSuspect(db);
    else if (needsMigration(db)) migrate(db);
    db.exec('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Whether an index has to be made again.
 * @throws SqliteError `SQLITE_CORRUPT` if a page is damaged
 */
function hasIndexesOutOfStep(db: Database.Database): boolean {
  const verdict = checkPages(db, 'quick_check');
  assertReadable(verdict);
  return verdict.fullText.length > 0;
}

/** Whether SQLite has something to apply to the database file, or to roll back, before it is read. */
function hasUnfinishedWork(path: string): boolean {
  return sizeOf(`${path}-wal`) > 0 || sizeOf(`${path}-journal`) > 0;
}

/** WAL needs a writable directory, so a database in another is read as a copy in memory. */
function openForReading(path: string, cause: unknown, configure: Configure): Connections {
  if (hasUnfinishedWork(path)) throw cause;
  const image = readFileSync(path);
  image.fill(ROLLBACK_JOURNAL, ...JOURNAL_VERSION_BYTES);
  const reader = configure(new Database(image));
  checkSchema(reader);
  if (!isCheckedFile(reader, path)) assertReadable(checkPages(reader, 'quick_check'));
  if (needsMigration(reader)) throw cause;
  reader.pragma('query_only = ON');
  return { reader };
}

/** Bytes 18 and 19 of the header say which journal reads and writes the file (sqlite.org/fileformat.html). */
const JOURNAL_VERSION_BYTES = [18, 20] as const;
const ROLLBACK_JOURNAL = 1;
