import { lstatSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { errorReason, KnowledgeError } from '../../../domain/errors.js';
import { openedFile, rememberOpened } from '../../../shared/opened-databases.js';
import { type Database, openDatabase } from './driver.js';
import { checkFolder, fileId } from './files.js';
import { prepareOnce } from './statements.js';
import { checkFiles, refuse, SIDECARS } from './untrusted-files.js';

/** An open database of a project. */
export interface Connection {
  readonly db: Database;
  /** Path of the file, which other processes can open; undefined for a database in memory. */
  readonly path: string | undefined;
  /** The {@link fileId} of the file. */
  readonly file: string | undefined;
  /** The error because of which it was opened for reading only; undefined if it can be written. */
  readonly refusal?: unknown;
  /**
   * Whether the file and its log are still at their paths, and the schema is the one that was opened. May throw errors
   * of the file system.
   */
  isCurrent(): boolean;
  /** Never fails because of the file system. */
  close(): void;
}

/**
 * Opens an existing database file. Every file is opened by this function or by `attachFile`.
 * @throws KnowledgeError `store_unavailable` if SQLite must not open the file or one beside it, if its folder is gone,
 *   or if a link replaced the folder, so that SQLite would create its log elsewhere
 */
export function openFile(path: string, access: Access = 'write'): Database {
  for (let attempt = 1; ; attempt += 1) {
    checkFiles(path);
    const db = openConfigured(path, access);
    try {
      if (fileId(path) === openedFile(db)) {
        checkFolder(path);
        if (access === 'alone') db.pragma('locking_mode = EXCLUSIVE');
        return configure(db);
      }
      if (attempt === OPEN_ATTEMPTS) refuse(REPLACED_WHILE_OPENED);
    } catch (error) {
      db.close();
      throw error;
    }
    db.close();
  }
}

/** Another process may replace a file, such as the lock of a replacement, while it is being opened. */
const OPEN_ATTEMPTS = 10;

/**
 * `alone`: no other process has the database open, so SQLite needs no shared-memory file. `unchanging`: nobody writes
 * the file, and nothing can be created beside it.
 */
type Access = 'write' | 'alone' | 'unchanging';

/**
 * Attaches a database of another program for reading, under the name `former`.
 * @throws KnowledgeError as `openFile`
 */
export function attachFile(db: Database, path: string): void {
  checkFiles(path);
  db.prepare('ATTACH ? AS former').run(`${pathToFileURL(path).href}?mode=ro`);
}

export const REPLACED_WHILE_OPENED =
  'The knowledge store was replaced by another program while it was being opened; try again.';

/** Opens a file, and remembers which one was at the path. The driver throws a `TypeError` if there is no folder. */
function openConfigured(path: string, access: Access): Database {
  const isWritten = access !== 'unchanging';
  const name = isWritten ? path : `${pathToFileURL(path).href}?immutable=1`;
  const file = fileId(path);
  try {
    const db = openDatabase(name, { timeout: 0, fileMustExist: true, readonly: !isWritten });
    rememberOpened(db, file);
    return db;
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new KnowledgeError('store_unavailable', `${errorReason(cause)}; try again.`, { cause });
  }
}

/** Applies our settings, so that nothing in a schema may do more than the service's own statements. */
export function configure(db: Database): Database {
  for (const setting of SETTINGS) db.pragma(setting);
  return db;
}

const SETTINGS = [
  'trusted_schema = OFF',
  'cell_size_check = ON',
  'mmap_size = 0',
  'foreign_keys = ON',
  'synchronous = NORMAL',
  'journal_size_limit = 33554432',
] as const;

/** A connection that can write. Reads from the database once. */
export function fileConnection(db: Database, path: string): Connection {
  // The file that was opened, even if another one is at the path by now.
  const file = openedFile(db);
  // The first read makes SQLite create its log, whose id is needed below.
  const schemaVersion = readSchemaVersion(db);
  const sidecars = SIDECARS.map((suffix) => [path + suffix, fileId(path + suffix)] as const);
  for (const [, sidecar] of sidecars) if (sidecar !== undefined) rememberOpened(db, sidecar);
  const isThere = () => fileId(path) === file;
  const log = fileId(path + LOG);
  return {
    db,
    path,
    file,
    isCurrent: () =>
      isThere() && fileId(path + LOG) === log && readSchemaVersion(db) === schemaVersion,
    close() {
      try {
        if (!isThere()) leave(db, sidecars);
      } catch {
        // Files that cannot be read stay as they are.
      }
      db.close();
    },
  };
}

const LOG = '-wal';

function readSchemaVersion(db: Database): number | undefined {
  return prepareOnce<[], number>(db, 'PRAGMA schema_version').pluck().get();
}

/**
 * Checkpoints a moved database, then deletes its log, which SQLite would otherwise apply to the next file at this path.
 * Sidecars of another database stay.
 */
function leave(
  db: Database,
  sidecars: readonly (readonly [path: string, id: string | undefined])[],
): void {
  db.pragma('wal_checkpoint(TRUNCATE)');
  for (const [path, id] of sidecars) {
    if (id !== undefined && fileId(path) === id) rmSync(path, { force: true });
  }
}

/** A connection that only reads the file as it was when opened. It is outdated once the file or its log has changed. */
export function readingConnection(db: Database, path: string, refusal: unknown): Connection {
  const version = fileVersion(path);
  return {
    db,
    path: undefined,
    file: fileId(path),
    refusal,
    isCurrent: () => fileVersion(path) === version,
    close: () => void db.close(),
  };
}

/**
 * Copies a whole database with its log into memory. Used if the disk has no space for the file through which processes
 * share a log. Other processes wait meanwhile.
 * @throws as `openFile`; `SQLITE_BUSY`
 */
export function copyInMemory(path: string): Database {
  const db = openFile(path, 'alone');
  try {
    const image = db.serialize();
    image.subarray(...JOURNAL_VERSION_BYTES).fill(ROLLBACK_JOURNAL);
    return configure(openDatabase(image, { readonly: true }));
  } finally {
    db.close();
  }
}

/** Bytes 18 and 19 of the header: the kind of journal for writing and for reading (sqlite.org/fileformat.html). */
const JOURNAL_VERSION_BYTES = [18, 20] as const;
const ROLLBACK_JOURNAL = 1;

function fileVersion(path: string): string {
  return [path, path + LOG]
    .map((file) => {
      const found = lstatSync(file, { bigint: true, throwIfNoEntry: false });
      return found && [found.dev, found.ino, found.size, found.mtimeNs].join(':');
    })
    .join(' ');
}

/** A connection to a database in memory. Closing the connection does not close the database; the caller does. */
export function memoryConnection(db: Database): Connection {
  const none = { path: undefined, file: undefined };
  return { db, ...none, isCurrent: () => true, close: () => undefined };
}
