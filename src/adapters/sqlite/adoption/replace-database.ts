import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemErrorCode } from '../../../domain/errors.js';
import { openFile } from '../database/connection.js';
import { type Database, sqliteDriver } from '../database/driver.js';
import {
  createFile,
  fileId,
  mayWrite,
  readSize,
  removeDatabase,
  replaceFile,
} from '../database/files.js';
import { createSchema } from '../database/own-schema.js';
import { lockLimit, retryWhileBusy } from '../database/statements.js';
import { type AsideKind, removeOlderAsides } from './asides.js';

/** A new database that is filled next to the one it will replace. */
export interface Replacement {
  /** Has the schema but no rows. */
  readonly db: Database;
  /**
   * Replaces the former database with the new one, and returns the name under which the former one is kept. If the
   * former one is gone, changes nothing and returns undefined.
   */
  takePlace(as: AsideKind, at: Date): string | undefined;
  /** Deletes the new database, unless it has taken its place. Must always be called at the end. */
  abandon(): void;
}

/**
 * Begins to replace a database. Only one process at a time does so; others wait. Removes files that a killed process
 * has left behind.
 * @param former {@link fileId} of the database to replace; if another file is there by now, returns undefined
 */
export async function replacing(
  path: string,
  former: string | undefined,
): Promise<Replacement | undefined> {
  const lock = await lockReplacement(path);
  try {
    if (fileId(path) === former) return newDatabase(path, { former, lock });
  } catch (error) {
    lock.release();
    throw error;
  }
  lock.release();
  return undefined;
}

interface LockedDatabase {
  readonly former: string | undefined;
  readonly lock: Lock;
}

function newDatabase(path: string, { former, lock }: LockedDatabase): Replacement {
  for (const name of leftovers(path)) removeDatabase(name);
  const newPath = `${path}.new-${randomUUID()}`;
  const db = createDatabase(newPath);
  return {
    db,
    takePlace(as, at) {
      db.close();
      if (fileId(path) !== former) return undefined;
      const aside = unusedName(`${path}.${as}-${at.toISOString().replaceAll(':', '-')}`);
      replaceFile(path, newPath, aside);
      removeOlderAsides(path);
      return aside;
    },
    abandon() {
      if (db.open) db.close();
      removeDatabase(newPath);
      lock.release();
    },
  };
}

/** Creates a database with the schema. Its settings are unsafe: the file is useless until it is complete. */
export function createDatabase(path: string): Database {
  createFile(path);
  const db = openFile(path);
  try {
    for (const setting of FILLING) db.pragma(setting);
    createSchema(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Nobody else reads the file yet. Foreign keys are off, because the copying statements check the rows. The default
 * cache would be too small for half of the rows.
 */
const FILLING = ['synchronous = OFF', 'foreign_keys = OFF', 'cache_size = -65536'] as const;

function leftovers(path: string): readonly string[] {
  const prefix = `${basename(path)}.new-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && !/-(wal|shm|journal)$/.test(name))
    .map((name) => join(dirname(path), name));
}

/** Returns the name, with a number appended if it is taken, such as by a database set aside in the same millisecond. */
function unusedName(wanted: string): string {
  let name = wanted;
  for (let number = 2; fileId(name) !== undefined; number += 1) name = `${wanted}.${number}`;
  return name;
}

interface Lock {
  /** Idempotent. */
  release(): void;
}

/** Locks an empty file for as long as it is open. The file is never written; the holder of the lock deletes it. */
function lockReplacement(path: string): Promise<Lock> {
  return retryWhileBusy(() => lockFile(`${path}.new`), lockLimit());
}

/** Opens the lock file. If its holder deletes it meanwhile, throws SQLITE_BUSY, so that the caller tries again. */
function openLock(path: string): Database {
  try {
    return openFile(path);
  } catch (error) {
    throw isRemoved(path, error) ? heldByAnother() : error;
  }
}

/** Whether the lock file was deleted. If SQLite found no file, another process may have created a new one since. */
function isRemoved(path: string, error: unknown): boolean {
  const code = systemErrorCode(error);
  const wasMissing = code === 'SQLITE_IOERR_FSTAT' || code === 'SQLITE_CANTOPEN';
  return fileId(path) === undefined || (wasMissing && mayWrite(path));
}

function heldByAnother(): Error {
  return new (sqliteDriver().SqliteError)(
    'Another process is replacing the database.',
    'SQLITE_BUSY',
  );
}

function lockFile(path: string): Lock {
  if (readSize(path) > 0) removeDatabase(path);
  createFile(path);
  const file = fileId(path);
  const db = openLock(path);
  try {
    db.exec('BEGIN EXCLUSIVE');
    if (fileId(path) !== file) throw heldByAnother();
  } catch (error) {
    db.close();
    throw isRemoved(path, error) ? heldByAnother() : error;
  }
  return {
    release() {
      if (!db.open) return;
      removeDatabase(path);
      db.close();
    },
  };
}
