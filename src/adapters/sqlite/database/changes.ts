import type { Database } from 'better-sqlite3';
import { prepared } from './prepared.js';

/** How many rows a connection has written so far. */
export function changesOf(db: Database): number {
  return prepared<[], number>(db, 'SELECT total_changes()').pluck().get() ?? 0;
}
