import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Statement } from 'better-sqlite3';
import { STORE_LOCK_TIMEOUT_MS } from '../../../domain/limits.js';
import { isBusy } from './errors.js';

/**
 * Returns the prepared statement of a connection for this SQL, because preparing one takes longer than running many of
 * the queries of a search. Statements are kept forever, so the SQL must be a constant without values. Callers of the
 * same SQL share the statement, and must agree on `pluck` and `raw`.
 */
export function prepareOnce<Parameters extends unknown[], Row>(
  db: Database,
  sql: string,
): Statement<Parameters, Row> {
  const statements = STATEMENTS.get(db) ?? new Map<string, Statement<never[], unknown>>();
  STATEMENTS.set(db, statements);
  const statement = statements.get(sql) ?? db.prepare<never[], unknown>(sql);
  statements.set(sql, statement);
  return statement as unknown as Statement<Parameters, Row>;
}

const STATEMENTS = new WeakMap<Database, Map<string, Statement<never[], unknown>>>();

/**
 * Runs reads that must see the same commit; calls may be nested. Ends with ROLLBACK, since COMMIT fails after a damaged
 * page was read.
 */
export function onSnapshot<T>(db: Database, work: () => T): T {
  if (db.inTransaction) return work();
  prepareOnce(db, 'BEGIN').run();
  try {
    return work();
  } finally {
    if (db.inTransaction) prepareOnce(db, 'ROLLBACK').run();
  }
}

/** When to stop waiting for another process. */
export interface RetryLimit {
  /** In the time of `performance.now()`. */
  readonly deadline: number;
  /** Aborting any of them ends the wait. */
  readonly signals: readonly AbortSignal[];
}

/**
 * Tries until no other connection holds the lock, the deadline passes or a signal is aborted. SQLite's own wait would
 * block the event loop.
 */
export async function retryWhileBusy<T>(
  attempt: () => T | Promise<T>,
  { deadline, signals }: RetryLimit,
): Promise<T> {
  const isOver = () => performance.now() > deadline || signals.some(({ aborted }) => aborted);
  for (let pause = 1; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || isOver()) throw error;
    }
    await sleep(pause);
  }
}

const LONGEST_PAUSE_MS = 50;

/** The usual limit for waiting for a lock, starting now. */
export function lockLimit(...signals: readonly AbortSignal[]): RetryLimit {
  return { deadline: performance.now() + STORE_LOCK_TIMEOUT_MS, signals };
}
