import type { Database } from 'better-sqlite3';
import { reasonOf } from '../../../domain/errors.js';
import { openFile } from '../database/connection.js';
import { isBusy, isDamage, isNotWritable } from '../database/errors.js';
import { type RetryLimit, retryWhileBusy } from '../database/statements.js';
import { fillSideWords } from '../keyword/side-words.js';
import { isOwnSchema } from '../schema/own-schema.js';

/** What SQLite says of the pages of a database; each list is empty if all is well. */
export interface PageVerdict {
  /** What is stored cannot be read. */
  readonly damage: readonly string[];
  /** A full-text index is malformed; a rebuild makes it again. */
  readonly fullText: readonly string[];
}

export const SOUND: PageVerdict = { damage: [], fullText: [] };

/** Statements whose time grows with the database. Each begins outside of a transaction. */
export const STATEMENTS = {
  /** Rebuilds what a search for words reads from the chunks. */
  rebuild(db: Database): void {
    transaction(db, () => {
      db.exec(REBUILD);
      fillSideWords(db);
    });
    db.pragma('wal_checkpoint(PASSIVE)'); // so that the file has what was ingested before
  },

  /** Reads every page, and compares the full-text index with the chunks. */
  examine(db: Database): Examination {
    const { damage, fullText } = checked(db, 'integrity_check');
    return {
      damage,
      isIndexOutdated: fullText.length > 0 || (damage.length === 0 && !isInStep(db)),
    };
  },

  /** Reads every page, unless somebody else has the database open. */
  checkAlone(db: Database): PageVerdict {
    try {
      db.pragma('locking_mode = EXCLUSIVE');
      return checked(db, 'quick_check');
    } catch (error) {
      if (isBusy(error)) return SOUND;
      throw error;
    }
  },

  /** Reads every page, and compares the indexes with the tables: a statement may have failed because they do not match. */
  check(db: Database): PageVerdict {
    return checked(db, 'integrity_check');
  },
};

export type LongStatements = typeof STATEMENTS;

/** Runs a statement on a connection of its own. */
export async function runHere<Name extends keyof LongStatements>(
  name: Name,
  path: string,
  limit: RetryLimit,
): Promise<ReturnType<LongStatements[Name]>> {
  const db = openFile(path);
  try {
    const statement = STATEMENTS[name] as (db: Database) => ReturnType<LongStatements[Name]>;
    return await retryWhileBusy(() => statement(db), limit);
  } finally {
    db.close();
  }
}

interface Examination {
  readonly damage: readonly string[];
  readonly isIndexOutdated: boolean;
}

/**
 * Reads every page; only with the schema of this release, since a check would run the constraints of another one. `quick_check` does
 * not compare indexes with tables, which takes most of the time.
 */
function checked(db: Database, check: 'quick_check' | 'integrity_check'): PageVerdict {
  try {
    if (!isOwnSchema(db)) return SOUND;
    const lines = db.prepare<[], string>(`PRAGMA ${check}(20)`).pluck().all();
    return {
      damage: lines.filter((line) => line !== 'ok' && !FULL_TEXT_LINE.test(line)),
      fullText: lines.filter((line) => FULL_TEXT_LINE.test(line)),
    };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { damage: [reasonOf(error)], fullText: [] };
  }
}

const FULL_TEXT_LINE = /(malformed|unable to validate the) inverted index for FTS5 table|^fts5: /;

const REBUILD = "INSERT INTO chunks_fts(chunks_fts) VALUES ('rebuild')";

/** FTS5's own comparison, which is an INSERT. A database that cannot be written is not compared. */
function isInStep(db: Database): boolean {
  try {
    transaction(db, () =>
      db.exec("INSERT INTO chunks_fts(chunks_fts, rank) VALUES ('integrity-check', 1)"),
    );
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    if (isNotWritable(error)) return true;
    throw error;
  }
}

function transaction(db: Database, work: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    work();
    db.exec('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
