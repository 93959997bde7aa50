import { closeSync, lstatSync, mkdirSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import Database from 'better-sqlite3';
import { KnowledgeError } from '../../../domain/errors.js';
import { DATABASE_FILE } from '../../../domain/project-layout.js';
import { registerFunctions } from './functions.js';
import { judgeSchema, migrate, needsMigration } from './migration.js';
import type { Connections } from './project-database.js';
import { retryWhileBusy } from './project-database.js';
import { isNotWritable } from './sqlite-errors.js';

/** A `suspect` database has shown damage: its pages are checked and its full-text index is made anew. */
export type Trust = 'trusted' | 'suspect';

/**
 * Opens a project's database, which is created where it is missing, judged, and brought up to date.
 * Where it cannot be written it is opened for reading, if its schema is current.
 */
export async function openDatabase(directory: string, trust: Trust): Promise<Connections> {
  const path = join(directory, DATABASE_FILE);
  try {
    return await openForWriting(path, trust);
  } catch (error) {
    if (!isNotWritable(error) || sizeOf(path) === 0) throw error;
    return openForReading(path, error);
  }
}

/**
 * Makes sure that the application directory is a real one inside the project, and that the database
 * is a real file in it: both may have come with somebody's repository.
 */
export function prepareDirectory(projectPath: string, appDir: string): string {
  const directory = join(projectPath, appDir);
  if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) {
    mkdirSync(directory, { mode: 0o700 });
  }
  if (realpathSync(directory) !== join(realpathSync(projectPath), appDir)) {
    refuse(`${appDir} is a link; the knowledge store needs a real directory of the project.`);
  }
  const file = lstatSync(join(directory, DATABASE_FILE), { throwIfNoEntry: false });
  if (file !== undefined && !file.isFile()) {
    refuse(`${appDir}${sep}${DATABASE_FILE} is not a regular file; move it away.`);
  }
  return directory;
}

/** Bytes of a file, 0 where there is none. */
export function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function openForWriting(path: string, trust: Trust): Promise<Connections> {
  const doubtful = trust === 'suspect' || sizeOf(`${path}-wal`) > 0;
  createPrivately(path);
  const writer = await retryWhileBusy(() => connect(path));
  try {
    await retryWhileBusy(() => judgeSchema(writer));
    await retryWhileBusy(() => writer.pragma('journal_mode = WAL'));
    if (doubtful) await retryWhileBusy(() => checkPages(writer));
    await bringUpToDate(writer, trust);
    const reader = await retryWhileBusy(() => connect(path));
    reader.pragma('query_only = ON');
    return { reader, writer };
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** SQLite gives the files beside the database the same permissions. */
function createPrivately(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    closeSync(openSync(path, 'a', 0o600));
  }
}

/** Reads the schema, which another process may have locked while it switches to WAL or recovers from one. */
function connect(path: string | Buffer): Database.Database {
  const db = new Database(path, { timeout: 0 });
  try {
    registerFunctions(db);
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

async function bringUpToDate(db: Database.Database, trust: Trust): Promise<void> {
  const isBehind = () => trust === 'suspect' || needsMigration(db);
  if (!(await retryWhileBusy(isBehind))) return;
  await retryWhileBusy(() => db.exec('BEGIN IMMEDIATE'));
  try {
    if (isBehind()) migrate(db);
    db.exec('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function checkPages(db: Database.Database): void {
  const verdict = db.pragma('quick_check(1)', { simple: true });
  if (verdict !== 'ok') throw new Database.SqliteError(String(verdict), 'SQLITE_CORRUPT');
}

/** WAL needs a writable directory, so a database in another is read as a copy in memory. */
function openForReading(path: string, cause: unknown): Connections {
  if (sizeOf(`${path}-wal`) > 0) throw cause;
  const image = readFileSync(path);
  image.fill(ROLLBACK_JOURNAL, ...JOURNAL_VERSION_BYTES);
  const reader = connect(image);
  judgeSchema(reader);
  if (needsMigration(reader)) throw cause;
  reader.pragma('query_only = ON');
  return { reader };
}

/** Bytes 18 and 19 of the header say which journal reads and writes the file (sqlite.org/fileformat.html). */
const JOURNAL_VERSION_BYTES = [18, 20] as const;
const ROLLBACK_JOURNAL = 1;

function refuse(message: string): never {
  throw new KnowledgeError('store_unavailable', message);
}
