import type { Database } from 'better-sqlite3';
import { statementsOf } from '../schema/schema-reading.js';
import { inodeOf } from './file-identity.js';
import { setState, stateOf } from './store-state.js';

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
