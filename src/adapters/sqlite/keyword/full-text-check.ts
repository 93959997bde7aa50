import type { Database } from 'better-sqlite3';
import { isDamage } from '../database/sqlite-errors.js';
import { FULL_TEXT_INDEX } from '../schema/schema.js';

/**
 * Whether both full-text indexes pass FTS5's own comparison, `chunks_fts` also with the rows. FTS5 compares only what it may
 * write to, and so would keep every writer waiting; therefore a copy of the index is compared, in the temporary database.
 */
export function isFullTextInStep(db: Database): boolean {
  try {
    if (db.pragma('integrity_check(store_cjk)', { simple: true }) !== 'ok') return false;
    withTemporaryTables(db, () => db.exec(COMPARISON));
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

const COPIED_TABLES = ['data', 'idx', 'docsize', 'config'];

const COMPARISON = `
  CREATE TEMP VIEW compared_rows AS SELECT rowid, heading, content FROM main.chunks;
  ${FULL_TEXT_INDEX.replace('chunks_fts', 'temp.compared').replace("'chunks'", "'compared_rows'")};
  ${COPIED_TABLES.map(copyOf).join('')}
  INSERT INTO temp.compared(compared, rank) VALUES ('integrity-check', 1)`;

function copyOf(table: string): string {
  return `DELETE FROM temp.compared_${table};
    INSERT INTO temp.compared_${table} SELECT * FROM main.chunks_fts_${table};`;
}

/** Undoes what the work makes there. All that it reads is of the same moment. */
function withTemporaryTables(db: Database, work: () => void): void {
  const isReader = db.pragma('query_only', { simple: true }) === 1;
  db.unsafeMode(true); // SQLite refuses to write to the tables of FTS5 otherwise
  db.pragma('query_only = OFF');
  db.exec('SAVEPOINT comparison');
  try {
    work();
  } finally {
    db.exec('ROLLBACK TO comparison; RELEASE comparison');
    if (isReader) db.pragma('query_only = ON');
    db.unsafeMode(false);
  }
}
