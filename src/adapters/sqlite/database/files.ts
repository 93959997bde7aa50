import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { KnowledgeError, systemErrorCode } from '../../../domain/errors.js';
import { DATABASE_FILE } from '../../../domain/project-layout.js';

export function databasePath(projectPath: string, appDir: string): string {
  return join(projectPath, appDir, DATABASE_FILE);
}

/** Device and inode: tells a file from another that has replaced it; undefined if it does not exist. Links are not followed. */
export function fileId(path: string): string | undefined {
  const found = statsOf(path);
  return found && `${found.dev} ${found.ino}`;
}

/** Size of a file in bytes; 0 if it does not exist. */
export function sizeOf(path: string): number {
  return Number(statsOf(path)?.size ?? 0);
}

/** The files that SQLite keeps beside a database, by their suffixes. */
export const SIDECARS = ['-wal', '-shm', '-journal'] as const;

/**
 * Creates the application directory if it is missing. Neither it nor what is in the place of the database may be a link
 * or belong to a stranger: an untrusted repository could contain a link that leads elsewhere, and another user could wait
 * there for private text.
 * @throws KnowledgeError `store_unavailable`, `path_not_allowed`
 */
export function prepareDirectory(projectPath: string, appDir: string): void {
  if (!isCanonical(projectPath)) {
    refuse('The project directory was replaced by a link; try again.');
  }
  const directory = join(projectPath, appDir);
  unlessThere(() => mkdirSync(directory, { mode: 0o700 }));
  if (!isCanonical(directory) || !lstatSync(directory).isDirectory()) {
    refuse(`${appDir} is not a directory; the knowledge store needs a real directory there.`);
  }
  checkOwners(projectPath, [directory, join(directory, DATABASE_FILE)]);
  checkFiles(join(directory, DATABASE_FILE));
  excludeFromGit(projectPath, directory);
}

/**
 * Creates an empty database file that only its owner may read, unless it exists; SQLite gives sidecars the same permissions.
 * @throws KnowledgeError `store_unavailable` if the folder was replaced by a link since `prepareDirectory`
 */
export function createFile(path: string): void {
  checkFolder(path);
  unlessThere(() => writeFileSync(path, '', { flag: 'wx', mode: 0o600 }));
}

/** @throws KnowledgeError `store_unavailable` if the folder of a database was replaced by a link */
export function checkFolder(path: string): void {
  if (!isCanonical(dirname(path)))
    refuse(`${nameOf(dirname(path))} was replaced by a link; try again.`);
}

/**
 * Puts a new database in the place of another one, which is kept under another name, and returns that name. The former
 * log goes first: SQLite would apply it to the new file.
 */
export function replaceFile(path: string, replacement: string, aside: string): string {
  for (const suffix of SIDECARS) renameIfThere(path + suffix, aside + suffix);
  try {
    linkSync(path, aside);
  } catch {
    renameSync(path, aside); // where a file cannot have two names
  }
  renameSync(replacement, path);
  return aside;
}

/** A new name for a database that is replaced; with a number if something has that name. */
export function asideName(path: string, as: 'corrupt' | 'replaced', at: Date): string {
  const wanted = `${path}.${as}-${at.toISOString().replaceAll(':', '-')}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}.${number}`;
    if (fileId(name) === undefined) return name;
  }
}

export function removeDatabase(path: string): void {
  for (const suffix of ['', ...SIDECARS]) rmSync(path + suffix, { force: true });
}

/** Whether no part of an existing path is a link. */
function isCanonical(path: string): boolean {
  return realpathSync.native(path) === path;
}

/** What is at a path; undefined if nothing is, or if what should be a folder above it is a file. */
function statsOf(path: string) {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (systemErrorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * What is there must belong to this user or to the owner of the project; what belongs to the latter must not be open to
 * everybody. For the superuser, everything but a stranger's is theirs.
 * @throws KnowledgeError `path_not_allowed`
 */
function checkOwners(project: string, paths: readonly string[]): void {
  const own = process.geteuid?.();
  if (own === undefined) return;
  const owners = new Set([own, 0, lstatSync(project).uid]);
  for (const path of paths) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.uid === own) continue;
    const isOpen = own !== 0 && (found.mode & OTHERS_READ_OR_WRITE) !== 0 && found.isFile();
    if (owners.has(found.uid) && !isOpen) continue;
    throw new KnowledgeError(
      'path_not_allowed',
      `${nameOf(path)} belongs to another user, who could read what is stored there; delete it, or make it your own.`,
    );
  }
}

const OTHERS_READ_OR_WRITE = 0o006;

/** SQLite would follow a link and write to, truncate or delete what it leads to. */
function checkFiles(path: string): void {
  for (const file of [path, ...SIDECARS.map((suffix) => path + suffix)]) {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) {
      refuse(`${nameOf(file)} is not a regular file; move it away.`);
    }
  }
  if (namesSuperJournal(`${path}-journal`)) {
    refuse(
      `${nameOf(path)}-journal belongs to a transaction over several databases; finish it with the program that began it, or move the file away.`,
    );
  }
}

/**
 * Whether a rollback journal names a super-journal: SQLite deletes the file of that name, which may be any file, once it
 * has rolled back (sqlite.org/fileformat.html, "The Rollback Journal").
 */
function namesSuperJournal(path: string): boolean {
  if (fileId(path) === undefined) return false;
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const end = Buffer.alloc(JOURNAL_MAGIC.length);
    readSync(descriptor, end, { position: Math.max(0, fstatSync(descriptor).size - end.length) });
    return end.equals(JOURNAL_MAGIC);
  } finally {
    closeSync(descriptor);
  }
}

/** The eight bytes that begin every rollback journal, and that end one which names a super-journal. */
const JOURNAL_MAGIC = Buffer.from('d9d505f920a163d7', 'hex');

/** Keeps the database out of the history of a git project, unless there is a `.gitignore`; if that fails, it is committed. */
function excludeFromGit(projectPath: string, directory: string): void {
  if (lstatSync(join(projectPath, '.git'), { throwIfNoEntry: false }) === undefined) return;
  try {
    writeFileSync(join(directory, '.gitignore'), `${DATABASE_FILE}*\n`, { flag: 'wx' });
  } catch {
    // It exists, or nothing can be written here.
  }
}

/** Another process may make the same at the same moment. */
function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
}

function nameOf(path: string): string {
  return `${basename(dirname(path))}${sep}${basename(path)}`;
}

function refuse(message: string): never {
  throw new KnowledgeError('store_unavailable', message);
}
