import { reasonOf } from '../../../domain/errors.js';
import { TABLES, VIRTUAL_TABLES } from '../schema/schema.js';
import { Database } from './driver.js';
import { onSnapshot } from './prepared.js';
import { isBrokenFullText, isDamage } from './sqlite-errors.js';

/** What SQLite says of the pages of a database; each list is empty if all is well. */
export interface PageVerdict {
  /** What is stored cannot be read: only another copy helps. */
  readonly damage: readonly string[];
  /** Indexes of columns that do not match their table; REINDEX makes them again. */
  readonly indexes: readonly string[];
  /** Full-text indexes that do not match themselves or their table; a rebuild makes them again. */
  readonly fullText: readonly string[];
}

/**
 * Reads every page. `quick_check` does not compare indexes with tables, which takes most of the time.
 * CHECK constraints are ignored: they are expressions of another program on tables of its own. Stops at the
 * first damage, because the rows of a table with damaged pages may have no end. What only `integrity_check` fails at is in
 * an index: `quick_check` does not read the values there.
 */
export function checkPages(db: Database, check: 'quick_check' | 'integrity_check'): PageVerdict {
  return onSnapshot(db, () => {
    for (const index of Object.keys(VIRTUAL_TABLES)) forgetParts(db, index);
    return checkedPages(db, check);
  });
}

/**
 * FTS5 remembers of which parts an index consists, also those that another process has merged since, and the check of SQLite looks for
 * those. A query makes it look again; where it fails, the check says why.
 */
function forgetParts(db: Database, index: string): void {
  try {
    db.prepare(`SELECT 1 FROM ${index} WHERE ${index} MATCH '""'`).get();
  } catch {}
}

function checkedPages(db: Database, check: 'quick_check' | 'integrity_check'): PageVerdict {
  db.pragma('ignore_check_constraints = ON');
  try {
    const first = linesOf(db.pragma(`${check}(1)`));
    const all = first.some(isMinor) ? linesOf(db.pragma(`${check}(${LINES_MAX})`)) : first;
    return verdictOf(all);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const lines = [reasonOf(error)];
    if (isBrokenFullText(error)) return { damage: [], indexes: [], fullText: lines };
    return check === 'integrity_check' && checkedPages(db, 'quick_check').damage.length === 0
      ? { damage: [], indexes: lines, fullText: [] }
      : { damage: lines, indexes: [], fullText: [] };
  } finally {
    db.pragma('ignore_check_constraints = OFF');
  }
}

function verdictOf(lines: readonly string[]): PageVerdict {
  return {
    damage: lines.filter((line) => line !== 'ok' && !isMinor(line)),
    indexes: lines.filter((line) => INDEX_LINE.test(line)),
    fullText: lines.filter((line) => FULL_TEXT_LINE.test(line)),
  };
}

/** @throws SqliteError `SQLITE_CORRUPT` if what is stored cannot be read */
export function assertReadable({ damage: [first] }: PageVerdict): void {
  if (first !== undefined) throw new Database.SqliteError(first, 'SQLITE_CORRUPT');
}

/**
 * Reads every page and makes indexes again that do not match their table; inside a write transaction.
 * @throws SqliteError `SQLITE_CORRUPT` if what is stored cannot be read, or an index cannot be made again
 */
export function repairIndexes(db: Database): PageVerdict {
  const verdict = checkPages(db, 'integrity_check');
  assertReadable(verdict);
  if (verdict.indexes.length > 0) reindex(db);
  return verdict;
}

/**
 * Of the service's own tables: SQLite refuses to change those behind virtual tables. Fails where two rows
 * have the same key, which the broken index has let in.
 */
function reindex(db: Database): void {
  try {
    for (const table of Object.keys(TABLES)) db.exec(`REINDEX ${table}`);
  } catch (error) {
    const isDouble = error instanceof Database.SqliteError && /CONSTRAINT/.test(error.code);
    throw isDouble ? new Database.SqliteError(error.message, 'SQLITE_CORRUPT') : error;
  }
}

const LINES_MAX = 100;

const INDEX_LINE =
  /^(row \d+ missing from index|row \d+ values differ from index|wrong # of entries in index|non-unique entry in index|rowid not at end-of-record for row)/;
const FULL_TEXT_LINE = /(malformed|unable to validate the) inverted index for FTS5 table|^fts5: /;
/** Values that a foreign program wrote against the declaration of its table; every reader expects them. */
const VALUE_LINE = /^(NULL value in|NUMERIC value in|TEXT value in|non-\w+ value in)/i;

const MINOR_LINES = [INDEX_LINE, FULL_TEXT_LINE, VALUE_LINE];

/** Whether what is stored can be read all the same. */
function isMinor(line: string): boolean {
  return MINOR_LINES.some((pattern) => pattern.test(line));
}

function linesOf(rows: unknown): readonly string[] {
  return Array.isArray(rows) ? rows.flatMap((row) => Object.values(row).map(String)) : [];
}
