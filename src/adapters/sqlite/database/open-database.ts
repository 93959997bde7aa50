import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { reasonOf } from '../../../domain/errors.js';
import { DATABASE_FILE } from '../../../domain/project-layout.js';
import { migrate, migrateSuspect, needsMigration } from '../schema/migration.js';
import { checkSchema } from '../schema/schema-check.js';
import { refuseDatabase } from '../schema/schema-reading.js';
import { type ConnectionSettings, configured } from './configured.js';
import { Connections } from './connections.js';
import {
  asideName,
  type FileIdentity,
  fileId,
  identityOf,
  isSameFile,
  journalOf,
  logOf,
  sizeOf,
} from './file-identity.js';
import { beginAgainUnless, isSuspectForLog, withoutLog } from './left-log.js';
import { assertReadable, checkPages, repairIndexes } from './page-check.js';
import { isForeignSchema, isNotWritable } from './sqlite-errors.js';
import { createFile, openFile } from './store-files.js';
import { isCheckedFile, rememberCheckedFile } from './store-state.js';
import { lockDeadline, retryWhileBusy } from './waiting.js';

/** A `suspect` database has shown damage: its pages are checked and its full-text index is made again. */
export type OpenMode = 'trusted' | 'suspect';

export interface OpenOptions extends ConnectionSettings {
  readonly mode: OpenMode;
  readonly clock: { now(): Date };
  /** Ends the wait for a lock that another process holds. */
  readonly stopWaiting: AbortSignal;
  /** How long a lock that another process holds is waited for; default 15 s. */
  readonly lockTimeoutMs?: number;
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
    let { mode } = options;
    let judged: FileIdentity | undefined;
    const attempt = () => {
      if (judged === undefined || !isSameFile(path, judged)) {
        const found = identityOf(path);
        if (isSuspectForLog(path, found, options)) mode = 'suspect';
        judged = found;
      }
      return openForWriting(path, { file: judged.file, mode }, options);
    };
    return await retryWhileBusy(attempt, waiting);
  } catch (error) {
    if (isForeignSchema(error)) refuseDatabase(`SQLite says "${reasonOf(error)}"`);
    if (!isNotWritable(error) || sizeOf(path) === 0) throw error;
    return openForReading(path, error, options);
  }
}

interface Judged {
  /** The `fileId` of the database before its log was judged; undefined if there was none. */
  readonly file: string | undefined;
  readonly mode: OpenMode;
}

function openForWriting(
  path: string,
  { mode, file: judged }: Judged,
  options: OpenOptions,
): Connections {
  const isInterrupted = sizeOf(journalOf(path)) > 0;
  const file = judged ?? createdFile(path);
  beginAgainUnless(fileId(path) === file); // before SQLite says that it cannot be opened
  const use = (db: Database) => {
    beginAgainUnless(fileId(path) === file);
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
    try {
      connections.close();
    } catch {} // why it cannot be opened says more
    throw error;
  }
}

/** Makes an empty file unless there is one, and returns its `fileId`. */
function createdFile(path: string): string | undefined {
  createFile(path, '', DATABASE_MODE);
  return fileId(path);
}

/** Only its owner may read a database; SQLite gives the sidecars the same permissions. */
const DATABASE_MODE = 0o600;

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
