import { openFile } from '../database/connection.js';
import { Database } from '../database/driver.js';
import {
  createFile,
  fileId,
  quarantineName,
  removeDatabase,
  replaceFile,
} from '../database/files.js';
import { lockDeadline, retryWhileBusy } from '../database/waiting.js';
import { createSchema } from '../schema/own-schema.js';

/** A new database that is being filled beside the one that it will replace. */
export interface Replacement {
  /** Locked, with the schema and without rows. */
  readonly db: Database;
  /** Puts it in the place of the other one, which is kept; returns under which name. */
  takePlace(as: 'corrupt' | 'replaced', at: Date): string;
  /** Removes it, unless it has taken its place. */
  abandon(): void;
}

/**
 * Begins to replace a database, which only one process does at a time; the others wait. What a process left behind that was killed
 * meanwhile is removed.
 * @param former the {@link fileId} of the database; undefined is returned if another one has taken its place meanwhile
 */
export async function replacing(
  path: string,
  former: string | undefined,
): Promise<Replacement | undefined> {
  const fresh = `${path}.new`;
  const limit = { deadline: lockDeadline(), signals: [] };
  const db = await retryWhileBusy(() => lockedNew(fresh), limit);
  const abandon = () => {
    if (!db.open) return;
    db.close();
    removeDatabase(fresh);
  };
  if (fileId(path) !== former) {
    abandon();
    return undefined;
  }
  return {
    db,
    takePlace(as, at) {
      db.close();
      return replaceFile(path, fresh, quarantineName(path, as, at));
    },
    abandon,
  };
}

/** Locked for as long as it is open. Whoever holds the lock of a file that has rows was killed while filling it. */
function lockedNew(fresh: string): Database {
  createFile(fresh);
  const file = fileId(fresh);
  const db = openFile(fresh);
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('synchronous = OFF');
    db.exec('BEGIN EXCLUSIVE; COMMIT');
    const isLeft = db.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined;
    if (isLeft) removeDatabase(fresh);
    if (isLeft || fileId(fresh) !== file) {
      throw new Database.SqliteError('Another process replaces the database.', 'SQLITE_BUSY');
    }
    createSchema(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
