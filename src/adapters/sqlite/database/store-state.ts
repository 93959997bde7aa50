import type { Database } from 'better-sqlite3';
import { statementsOf } from '../schema/schema-reading.js';
import { inodeOf } from './file-identity.js';

/** Small facts about a store, in the table `store_state`; undefined where one was never set. */
export function stateOf(db: Database, name: string): unknown {
  return db.prepare('SELECT value FROM store_state WHERE name = ?').pluck().get(name);
}

export function setState(db: Database, name: string, value: string): void {
  db.prepare(
    `INSERT INTO store_state (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  ).run(name, value);
}

export function clearState(db: Database, name: string): void {
  db.prepare('DELETE FROM store_state WHERE name = ?').run(name);
}

/**
 * Whether the pages of this file were checked once. A file that came from elsewhere may have pages that several rows
 * share: some megabytes then hold gigabytes of text, or a table without an end. Whoever sends a file cannot know which
 * number it will get.
 */
export function isCheckedFile(db: Database, path: string): boolean {
  return statementsOf(db).has('store_state') && stateOf(db, CHECKED_FILE) === inodeOf(path);
}

/** If that cannot be written now, the next opening checks the pages again. */
export function rememberCheckedFile(db: Database, path: string): void {
  try {
    setState(db, CHECKED_FILE, inodeOf(path));
  } catch {
    // Another process is writing, or there is no space left.
  }
}

/** The fact of this name: the number of the file. */
const CHECKED_FILE = 'pages_checked_of';
