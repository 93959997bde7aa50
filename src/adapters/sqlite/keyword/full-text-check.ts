import type { Database } from 'better-sqlite3';
import { isDamage, isForeignSchema } from '../database/sqlite-errors.js';
import { fullTextIndex } from '../schema/schema.js';

/**
 * Whether FTS5's own comparison of `chunks_fts` with the rows passes. It is an INSERT, which takes the write lock, so a copy
 * in the temporary database is compared, and nobody who writes has to wait.
 */
export function isFullTextInStep(db: Database): boolean {
  try {
    withTemporaryTables(db, () => db.exec(COMPARISON));
    return true;
  } catch (error) {
    if (isDamage(error) || isForeignSchema(error)) return false;
    throw error;
  }
}

const COPIED_TABLES = ['data', 'idx', 'docsize', 'config'];

const COMPARISON = `
  CREATE TEMP VIEW compared_rows AS SELECT rowid, heading, content FROM main.chunks;
  ${fullTextIndex('temp.compared', 'compared_rows')};
  ${COPIED_TABLES.map(copyOf).join('')}
  INSERT INTO temp.compared(compared, rank) VALUES ('integrity-check', 1)`;

/** By `*`, because SQLite copies whole pages then; FTS5 declares the columns. */
function copyOf(table: string): string {
  return `DELETE FROM temp.compared_${table};
    INSERT INTO temp.compared_${table} SELECT * FROM main.chunks_fts_${table};`;
}

/**
 * Runs the work on one state of the database, and undoes what it made in the temporary one. A full disk may already have undone
 * everything.
 */
function withTemporaryTables(db: Database, work: () => void): void {
  const undo = db.inTransaction ? 'ROLLBACK TO comparison; RELEASE comparison' : 'ROLLBACK';
  db.exec(db.inTransaction ? 'SAVEPOINT comparison' : 'BEGIN');
  try {
    db.unsafeMode(true); // SQLite refuses to write to the tables of FTS5 otherwise
    work();
  } finally {
    db.unsafeMode(false);
    if (db.inTransaction) db.exec(undo);
  }
}
