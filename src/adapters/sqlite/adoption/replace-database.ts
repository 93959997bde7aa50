import { openFile } from '../database/connection.js';
import { Database } from '../database/driver.js';
import { createFile, fileId, removeDatabase, replaceFile } from '../database/files.js';
import { lockLimit, retryWhileBusy } from '../database/statements.js';
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
 * Begins to replace a database. Only one process does so at a time; the others wait. Removes what a killed process has left
 * behind.
 * @param former the {@link fileId} of the database; undefined is returned if it was already replaced
 */
export async function replacing(
  path: string,
  former: string | undefined,
): Promise<Replacement | undefined> {
  const newPath = `${path}.new`;
  const db = await retryWhileBusy(() => lockedNew(newPath), lockLimit());
  const abandon = () => {
    if (!db.open) return;
    db.close();
    removeDatabase(newPath);
  };
  if (fileId(path) !== former) {
    abandon();
    return undefined;
  }
  return {
    db,
    takePlace(as, at) {
      db.close();
      const aside = unusedName(`${path}.${as}-${at.toISOString().replaceAll(':', '-')}`);
      replaceFile(path, newPath, aside);
      return aside;
    },
    abandon,
  };
}

/** With a number if something has the name, such as a database that was set aside in the same millisecond. */
function unusedName(wanted: string): string {
  let name = wanted;
  for (let number = 2; fileId(name) !== undefined; number += 1) name = `${wanted}.${number}`;
  return name;
}

/** Locked for as long as it is open. If it can be locked and has rows, its former writer was killed. */
function lockedNew(newPath: string): Database {
  createFile(newPath);
  const file = fileId(newPath);
  const db = openFile(newPath);
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('synchronous = OFF');
    db.exec('BEGIN EXCLUSIVE; COMMIT');
    const isLeft = db.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined;
    if (isLeft) removeDatabase(newPath);
    if (isLeft || fileId(newPath) !== file) {
      throw new Database.SqliteError('Another process replaces the database.', 'SQLITE_BUSY');
    }
    createSchema(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
