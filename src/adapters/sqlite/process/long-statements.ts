import { errorReason } from '../../../domain/errors.js';
import { fillSideWords } from '../chunks/side-words.js';
import { openFile } from '../database/connection.js';
import { type Database, sqliteDriver } from '../database/driver.js';
import { isBusy, isDamage, isNotWritable } from '../database/errors.js';
import { isOwnSchema } from '../database/own-schema.js';
import { type RetryLimit, retryWhileBusy } from '../database/statements.js';

/** Result of checking a database. Both lists are empty if it is sound. */
export interface PageVerdict {
  /** Whether it has the schema of this release; if not, nothing else was checked. */
  readonly isOwn: boolean;
  /** Reports of stored data that cannot be read. */
  readonly damage: readonly string[];
  /** Reports of malformed full-text indexes, which a rebuild fixes. */
  readonly fullText: readonly string[];
}

export const SOUND: PageVerdict = { isOwn: true, damage: [], fullText: [] };

/** Statements whose duration grows with the database. Each must begin outside a transaction. */
export const STATEMENTS = {
  /**
   * Rebuilds the full-text indexes from the chunks and the names of their sources.
   * @throws `SQLITE_CORRUPT` if an index is still not sound after the rebuild
   */
  rebuild(db: Database): void {
    transaction(db, () => {
      rebuildFullText(db);
      if (!isFullTextSound(db))
        throw new (sqliteDriver().SqliteError)(BEYOND_REPAIR, 'SQLITE_CORRUPT');
    });
    db.pragma('wal_checkpoint(PASSIVE)'); // moves earlier ingestions from the log to the file
  },

  /** Checks every page, and compares the full-text indexes with the chunks. */
  examine(db: Database): Examination {
    const { damage, fullText } = checkPages(db, 'integrity_check');
    return {
      damage,
      isIndexOutdated: fullText.length > 0 || (damage.length === 0 && !isInStep(db)),
    };
  },

  /** Checks every page, unless another process has the database open. */
  checkAlone(db: Database): PageVerdict {
    try {
      db.pragma('locking_mode = EXCLUSIVE');
      return checkPages(db, 'quick_check');
    } catch (error) {
      if (isBusy(error)) return SOUND;
      throw error;
    }
  },

  /** Checks every page, and compares the indexes with the tables, because a mismatch may have made a statement fail. */
  check(db: Database): PageVerdict {
    return checkPages(db, 'integrity_check');
  },

  /** Like `check`, for a database that cannot be written and has no log. */
  checkUnchanging(db: Database): PageVerdict {
    return checkPages(db, 'integrity_check');
  },

  /** Rebuilds the full-text indexes if nothing else is damaged. Returns whether the database is sound now. */
  mend(db: Database): boolean {
    if (checkPages(db, 'integrity_check').damage.length > 0) return false;
    try {
      STATEMENTS.rebuild(db);
      return true;
    } catch (error) {
      if (isDamage(error)) return false;
      throw error;
    }
  },
};

const BEYOND_REPAIR = 'a rebuild does not repair the full-text index';

export type LongStatements = typeof STATEMENTS;

/** Runs a statement in this process, on a connection of its own. */
export async function runHere<Name extends keyof LongStatements>(
  name: Name,
  path: string,
  limit: RetryLimit,
): Promise<ReturnType<LongStatements[Name]>> {
  const access = name === 'checkUnchanging' ? 'unchanging' : 'write';
  const statement = STATEMENTS[name] as (db: Database) => ReturnType<LongStatements[Name]>;
  return onOwnConnection(() => openFile(path, access), limit, statement);
}

/** Opens a connection, works on it and closes it. */
export async function onOwnConnection<T>(
  open: () => Database,
  limit: RetryLimit,
  work: (db: Database) => T,
): Promise<T> {
  const db = await retryWhileBusy(open, limit);
  try {
    return await retryWhileBusy(() => work(db), limit);
  } finally {
    db.close();
  }
}

interface Examination {
  readonly damage: readonly string[];
  readonly isIndexOutdated: boolean;
}

/**
 * Checks every page. Only checks a database with the schema of this release, since checking another one would run its
 * constraints. `quick_check` skips comparing indexes with tables, which takes most of the time.
 */
function checkPages(db: Database, check: 'quick_check' | 'integrity_check'): PageVerdict {
  try {
    if (!isOwnSchema(db)) return { ...SOUND, isOwn: false };
    const lines = db.prepare<[], string>(`PRAGMA ${check}(20)`).pluck().all();
    return {
      isOwn: true,
      damage: lines.filter((line) => line !== 'ok' && !FULL_TEXT_LINE.test(line)),
      fullText: lines.filter((line) => FULL_TEXT_LINE.test(line)),
    };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { isOwn: true, damage: [errorReason(error)], fullText: [] };
  }
}

const FULL_TEXT_LINE = /(malformed|unable to validate the) inverted index for FTS5 table|^fts5: /;

/**
 * Whether the full-text indexes match the chunks. Assumed of a database that cannot be written, since comparing needs a
 * write.
 */
function isInStep(db: Database): boolean {
  let isSound = true;
  try {
    transaction(db, () => {
      isSound = isFullTextSound(db);
    });
    return isSound;
  } catch (error) {
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

/** Rebuilds everything that a keyword search reads, from the chunks and the names of their sources. */
function rebuildFullText(db: Database): void {
  db.exec(`INSERT INTO chunks_fts(chunks_fts) VALUES ('rebuild');
    INSERT INTO store_name_words(store_name_words) VALUES ('rebuild')`);
  fillSideWords(db);
}

/** Runs FTS5's own comparison of each index with its contents, which has the form of an INSERT. */
function isFullTextSound(db: Database): boolean {
  try {
    for (const table of ['chunks_fts', 'store_name_words', 'side_words']) {
      db.exec(`INSERT INTO ${table}(${table}, rank) VALUES ('integrity-check', 1)`);
    }
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}
