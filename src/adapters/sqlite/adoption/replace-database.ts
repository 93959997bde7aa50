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

/** A new database that is filled next to the one that it will replace. */
export interface Replacement {
  /** Has the schema but no rows. */
  readonly db: Database;
  /**
   * Puts it in the place of the other one, and returns the name under which that one is kept. If the other one is gone,
   * changes nothing and returns undefined.
   */
  takePlace(as: AsideKind, at: Date): string | undefined;
  /** Removes it, unless it has taken its place. Must always be called at the end. */
  abandon(): void;
}

/**
 * Begins to replace a database. Only one process does so at a time; the others wait. Removes what a killed process has
 * left behind.
 * @param former the {@link fileId} of the database; undefined is returned if it was already replaced
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

/** A new database with the schema, which is useless until it is complete. */
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
 * Nobody else reads the file yet. Rows are checked by the statements that copy them, and half of them would not fit the
 * usual cache.
 */
const FILLING = ['synchronous = OFF', 'foreign_keys = OFF', 'cache_size = -65536'] as const;

function leftovers(path: string): readonly string[] {
  const prefix = `${basename(path)}.new-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && !/-(wal|shm|journal)$/.test(name))
    .map((name) => join(dirname(path), name));
}

/** The name, with a number if it is taken, for example by a database that was set aside in the same millisecond. */
function unusedName(wanted: string): string {
  let name = wanted;
  for (let number = 2; fileId(name) !== undefined; number += 1) name = `${wanted}.${number}`;
  return name;
}

interface Lock {
  /** Idempotent. */
  release(): void;
}

/** An empty file that is locked for as long as it is open. It is never written; the holder of the lock removes it. */
function lockReplacement(path: string): Promise<Lock> {
  return retryWhileBusy(() => lockFile(`${path}.new`), lockLimit());
}

/** Its holder may remove the file at any moment. */
function openedLock(path: string): Database {
  try {
    return openFile(path);
  } catch (error) {
    throw isRemoved(path, error) ? heldByAnother() : error;
  }
}

/** SQLite may find no file at the path, although another process has put a new one there since. */
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
  const db = openedLock(path);
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
