import type { Database, Statement } from 'better-sqlite3';

/**
 * The prepared statement of a connection for this SQL: preparing takes longer than many of the queries
 * that every search runs. For SQL that is written in the code: no statement is ever forgotten, so its text
 * must not hold values. Callers of the same SQL share the statement, and must agree on `pluck` and `raw`.
 */
export function prepared<Parameters extends unknown[], Row>(
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

/** Runs reads that must see the same commit; they may be nested. Rolled back, since a COMMIT fails after a damaged page was read. */
export function onSnapshot<T>(db: Database, work: () => T): T {
  if (db.inTransaction) return work();
  prepared(db, 'BEGIN').run();
  try {
    return work();
  } finally {
    if (db.inTransaction) prepared(db, 'ROLLBACK').run();
  }
}
