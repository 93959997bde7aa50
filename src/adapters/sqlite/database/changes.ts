import type { Database } from 'better-sqlite3';
import { prepared } from './prepared.js';

/** How many rows a connection has written so far. */
export function changesOf(db: Database): number {
  return prepared<[], number>(db, 'SELECT total_changes()').pluck().get() ?? 0;
}

export interface Noted<T> {
  readonly result: T;
  readonly hasWritten: boolean;
}

/** Notes whether the work has written anything. */
export function noting<T>(
  work: (db: Database) => T | Promise<T>,
): (db: Database) => Promise<Noted<T>> {
  return async (db) => {
    const before = changesOf(db);
    const result = await work(db);
    return { result, hasWritten: changesOf(db) > before };
  };
}
