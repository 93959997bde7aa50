import { readFileSync } from 'node:fs';
import { Database } from './driver.js';

/** Without tables, and with a log: to switch to one, SQLite would make a journal first, by its path, and then a log. */
export function newDatabase(): Buffer {
  const db = new Database(':memory:');
  db.pragma('user_version = 0'); // so that there is a page
  const image = db.serialize();
  db.close();
  return image.fill(WRITE_AHEAD_LOG, ...JOURNAL_VERSION_BYTES);
}

/** A copy of the file in memory. */
export function withoutLog(path: string): Database {
  const image = readFileSync(path);
  image.subarray(...JOURNAL_VERSION_BYTES).fill(ROLLBACK_JOURNAL); // a damaged file may be shorter
  return new Database(image);
}

/** Bytes 18 and 19 of the header say which journal reads and writes the file (sqlite.org/fileformat.html). */
const JOURNAL_VERSION_BYTES = [18, 20] as const;
const ROLLBACK_JOURNAL = 1;
const WRITE_AHEAD_LOG = 2;
