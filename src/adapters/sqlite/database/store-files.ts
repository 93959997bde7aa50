import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import Database from 'better-sqlite3';
import { KnowledgeError } from '../../../domain/errors.js';
import { DATABASE_FILE } from '../../../domain/project-layout.js';

/** The files that SQLite keeps beside a database: appended to its path. */
export const SIDECARS = ['-wal', '-shm', '-journal'] as const;

/**
 * Makes sure that the application directory is a real one inside the project, and that the database
 * is a real file in it: both may have come with somebody's repository.
 * @throws KnowledgeError `store_unavailable`
 */
export function prepareDirectory(projectPath: string, appDir: string): string {
  const directory = join(projectPath, appDir);
  if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) {
    mkdirSync(directory, { mode: 0o700 });
  }
  if (realpathSync(directory) !== join(realpathSync(projectPath), appDir)) {
    refuse(`${appDir} is a link; the knowledge store needs a real directory of the project.`);
  }
  checkFiles(join(directory, DATABASE_FILE));
  return directory;
}

/** Creates an empty database that only its owner may read; SQLite gives the sidecars the same permissions. */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/**
 * Opens an existing database. SQLite reads no sidecar before the first statement, so they are
 * checked in between, when there is least time left to exchange them.
 * @throws KnowledgeError `store_unavailable` if the database or a sidecar must not be touched
 */
export function openFile(path: string): Database.Database {
  const db = new Database(path, { timeout: 0, fileMustExist: true });
  try {
    checkFiles(path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Whether a project has a database; creates nothing. */
export function hasDatabase(projectPath: string, appDir: string): boolean {
  const path = databasePath(projectPath, appDir);
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

export function databasePath(projectPath: string, appDir: string): string {
  return join(projectPath, appDir, DATABASE_FILE);
}

/** Bytes of a file, 0 where there is none. */
export function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Tells one file from another that takes its place; undefined where there is none. */
export function fileId(path: string): string | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/** The number of a file on its volume: another one for a copy of the file. */
export function fileNumber(path: string): string {
  return String(lstatSync(path, { bigint: true }).ino);
}

/**
 * Removes the write-ahead log of a database whose file was replaced: SQLite leaves it when it closes
 * such a database, and would apply it to the file that stands there now.
 * @param walId the log of the former database; another one belongs to the new file
 */
export function removeLeftLog(path: string, walId: string | undefined): void {
  if (walId === undefined || fileId(`${path}-wal`) !== walId) return;
  for (const sidecar of ['-wal', '-shm']) rmSync(path + sidecar, { force: true });
}

/** SQLite would follow a link and write to, truncate or delete what it leads to. */
function checkFiles(path: string): void {
  if (!lstatSync(dirname(path)).isDirectory()) {
    refuse(`${basename(dirname(path))} is a link; the knowledge store needs a real directory.`);
  }
  for (const file of [path, ...SIDECARS.map((sidecar) => path + sidecar)]) {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) {
      refuse(`${nameOf(file)} is not a regular file; move it away.`);
    }
  }
  if (namesSuperJournal(`${path}-journal`)) {
    refuse(
      `${nameOf(path)}-journal belongs to a transaction over several databases, which is either under way or not ours to finish; try again, or move it away.`,
    );
  }
}

/**
 * Whether a rollback journal names a super-journal: SQLite deletes the file of that name, which may
 * be any file, once it has rolled back. A journal without one only restores the database beside it
 * (sqlite.org/fileformat.html, "The Rollback Journal").
 */
function namesSuperJournal(path: string): boolean {
  const descriptor = openIfThere(path);
  if (descriptor === undefined) return false;
  try {
    const end = Buffer.alloc(JOURNAL_MAGIC.length);
    readSync(descriptor, end, { position: Math.max(0, fstatSync(descriptor).size - end.length) });
    return end.equals(JOURNAL_MAGIC);
  } finally {
    closeSync(descriptor);
  }
}

/** Begins a rollback journal, and ends one that names a super-journal. */
const JOURNAL_MAGIC = Buffer.from('d9d505f920a163d7', 'hex');

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function nameOf(path: string): string {
  return `${basename(dirname(path))}${sep}${basename(path)}`;
}

function refuse(message: string): never {
  throw new KnowledgeError('store_unavailable', message);
}
