import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../../domain/errors.js';
import { DATABASE_FILE } from '../../../domain/project-layout.js';
import { migrate, migrateSuspect, needsMigration } from '../schema/migration.js';
import { checkSchema } from '../schema/schema-check.js';
import { refuseDatabase } from '../schema/schema-reading.js';
import { registerFunctions } from '../vectors/encodings.js';
import { Connections } from './connections.js';
import { Database } from './driver.js';
import {
  asideName,
  fileId,
  identityOf,
  journalOf,
  logOf,
  moveLogAway,
  sizeOf,
} from './file-identity.js';
import { assertReadable, checkPages, repairIndexes } from './page-check.js';
import { isDamage, isForeignSchema, isNotWritable } from './sqlite-errors.js';
import { createFile, openFile } from './store-files.js';
import { isCheckedFile, rememberCheckedFile } from './store-state.js';
import { limitLog, lockDeadline, retryWhileBusy } from './waiting.js';

/** A `suspect` database has shown damage: its pages are checked and its full-text index is made again. */
export type OpenMode = 'trusted' | 'suspect';

export interface OpenOptions {
  readonly mode: OpenMode;
  /** Values of a vector that counts. */
  readonly dimensions: number;
  readonly clock: { now(): Date };
  /** Ends the wait for a lock that another process holds. */
  readonly stopWaiting: AbortSignal;
  /** How long a lock that another process holds is waited for; default 15 s. */
  readonly lockTimeoutMs?: number;
  /** The write-ahead log is cut to this length when it is emptied; default 32 MB. */
  readonly logMaxBytes?: number;
}

/**
 * Opens a project's database, which is created where it is missing, checked, and brought up to date.
 * Where it cannot be written it is opened for reading, if its schema is current.
 */
export async function openDatabase(directory: string, options: OpenOptions): Promise<Connections> {
  const path = join(directory, DATABASE_FILE);
  const waiting = {
    deadline: lockDeadline(options.lockTimeoutMs),
    signals: [options.stopWaiting],
  };
  try {
    const mode = await retryWhileBusy(() => modeForLog(path, options), waiting);
    return await retryWhileBusy(() => openForWriting(path, mode, options), waiting);
  } catch (error) {
    if (isForeignSchema(error)) refuseDatabase(`SQLite says "${reasonOf(error)}"`);
    if (!isNotWritable(error) || sizeOf(path) === 0) throw error;
    return openForReading(path, error, options);
  }
}

function openForWriting(path: string, mode: OpenMode, options: OpenOptions): Connections {
  const isInterrupted = sizeOf(journalOf(path)) > 0;
  createFile(path, '', DATABASE_MODE);
  const file = fileId(path);
  const use = (db: Database) => {
    checkSchema(configured(db, options));
    // A journal in a file would be made by its path, and deleted by it.
    if (sizeOf(path) === 0) db.pragma('journal_mode = MEMORY');
    db.pragma('journal_mode = WAL');
  };
  const writer = openFile(path, { use });
  const connections = new Connections({
    path,
    file,
    writer,
    open: (check) =>
      openFile(path, {
        access: 'read',
        use: (db) => {
          check();
          configured(db, options);
        },
      }),
    asideName: () => asideName(path, 'replaced', options.clock.now()),
  });
  try {
    const isKnown = isCheckedFile(writer, path);
    const isDoubtful = mode === 'suspect' || isInterrupted || !isKnown;
    const isOutOfStep = isDoubtful && hasIndexesOutOfStep(writer);
    bringUpToDate(writer, mode === 'suspect' || isOutOfStep ? 'suspect' : 'trusted');
    if (!isKnown && connections.isCurrent()) rememberCheckedFile(writer, path);
    return connections;
  } catch (error) {
    connections.close();
    throw error;
  }
}

/** Only its owner may read a database; SQLite gives the sidecars the same permissions. */
const DATABASE_MODE = 0o600;

/** Reads the schema, which another process may have locked while it switches to WAL or recovers from one. */
function configured(db: Database, { dimensions, logMaxBytes }: OpenOptions): Database {
  registerFunctions(db, dimensions);
  for (const setting of CONNECTION_SETTINGS) db.pragma(setting);
  limitLog(db, logMaxBytes);
  return db;
}

const CONNECTION_SETTINGS = [
  'trusted_schema = OFF',
  'cell_size_check = ON',
  'mmap_size = 0',
  'foreign_keys = ON',
  'synchronous = NORMAL',
] as const;

function bringUpToDate(db: Database, mode: OpenMode): void {
  if (mode === 'trusted' && !needsMigration(db)) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    if (mode === 'suspect') {
      repairIndexes(db);
      migrateSuspect(db);
    } else if (needsMigration(db)) migrate(db);
    db.exec('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Whether an index has to be made again.
 * @throws SqliteError `SQLITE_CORRUPT` if a page is damaged
 */
function hasIndexesOutOfStep(db: Database): boolean {
  const verdict = checkPages(db, 'quick_check');
  assertReadable(verdict);
  return verdict.fullText.length > 0;
}

/**
 * Reads every page before SQLite applies to the file what another process may have left behind, and returns how the database is to be
 * opened. A connection that cannot write leaves the log as it is when it is closed.
 *
 * A log that another file has left at this path, such as one that was moved over since, is moved away: SQLite would
 * apply it. It is taken for that if the database is sound without it, and with it is damaged or says that it is another file.
 */
function modeForLog(path: string, options: OpenOptions): OpenMode {
  if (sizeOf(logOf(path)) === 0) return options.mode;
  const identity = identityOf(path);
  const found = soundness(() => openFile(path, { access: 'read' }), path, options);
  if (found !== 'foreign') return found;
  if (soundness(() => withoutLog(path), path, options) === 'foreign') return 'suspect';
  moveLogAway(path, identity, asideName(path, 'replaced', options.clock.now()));
  return 'suspect';
}

/** `foreign` if it is damaged, or does not say that it was checked as the file of this path. */
function soundness(open: () => Database, path: string, options: OpenOptions): OpenMode | 'foreign' {
  let db: Database | undefined;
  try {
    db = open();
    checkSchema(configured(db, options));
    const { damage, fullText } = checkPages(db, 'quick_check');
    if (damage.length > 0 || !isCheckedFile(db, path)) return 'foreign';
    return fullText.length > 0 ? 'suspect' : options.mode;
  } catch (error) {
    if (isDamage(error) || isForeignSchema(error)) return 'foreign';
    throw error;
  } finally {
    db?.close();
  }
}

/** WAL needs a writable directory, so a database in another is read as a copy in memory. */
function openForReading(path: string, cause: unknown, options: OpenOptions): Connections {
  if (sizeOf(logOf(path)) > 0 || sizeOf(journalOf(path)) > 0) throw cause;
  const file = fileId(path);
  const reader = configured(withoutLog(path), options);
  checkSchema(reader);
  if (!isCheckedFile(reader, path)) assertReadable(checkPages(reader, 'quick_check'));
  if (needsMigration(reader)) throw cause;
  return new Connections({ path, file, open: () => reader, asideName: () => path });
}

/** A copy of the file in memory. */
function withoutLog(path: string): Database {
  const image = readFileSync(path);
  image.subarray(...JOURNAL_VERSION_BYTES).fill(ROLLBACK_JOURNAL); // a damaged file may be shorter
  return new Database(image, { readonly: true });
}

/** Bytes 18 and 19 of the header say which journal reads and writes the file (sqlite.org/fileformat.html). */
const JOURNAL_VERSION_BYTES = [18, 20] as const;
const ROLLBACK_JOURNAL = 1;
