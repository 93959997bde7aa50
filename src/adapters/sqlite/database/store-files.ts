import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { Options } from 'better-sqlite3';
import { codeOf, KnowledgeError } from '../../../domain/errors.js';
import { DATABASE_FILE } from '../../../domain/project-layout.js';
import { Database } from './driver.js';
import { journalOf, SIDECARS, statsOf } from './file-identity.js';
import { openInPlace } from './open-in-place.js';

/**
 * Creates the application directory if it is missing, and returns its path. Neither it nor the database
 * in it may be a link, or belong to a stranger: an untrusted repository could contain one that leads elsewhere, and
 * another user could wait there for private text.
 * @throws KnowledgeError `store_unavailable`, `path_not_allowed`
 */
export function prepareDirectory(projectPath: string, appDir: string): string {
  const project = realpathSync.native(projectPath);
  if (project !== projectPath) refuse('The project directory was replaced by a link; try again.');
  const directory = join(projectPath, appDir);
  if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) {
    unlessThere(() =>
      inFolder(project, (folder) => mkdirSync(join(folder, appDir), { mode: 0o700 })),
    );
  }
  if (realpathSync.native(directory) !== join(project, appDir)) {
    refuse(`${appDir} is a link; the knowledge store needs a real directory of the project.`);
  }
  checkOwners(project, [directory, join(directory, DATABASE_FILE)]);
  checkFiles(join(directory, DATABASE_FILE));
  return directory;
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

/** Creates a file in a folder that must not be a link, by its canonical path, unless it is there. */
export function createFile(path: string, content: string, mode: number): void {
  unlessThere(() =>
    inFolder(dirname(path), (folder) =>
      writeFileSync(join(folder, basename(path)), content, { flag: 'wx', mode }),
    ),
  );
}

/** Another may make the same at the same moment. */
function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Opens an existing database. SQLite reads no sidecar before the first statement, so they are
 * checked in between, which leaves the least time to replace them, or a folder above, after the check.
 * @throws KnowledgeError `store_unavailable` if the database or a sidecar must not be touched
 */
export function openFile(
  path: string,
  { access = 'write', use }: { access?: 'read' | 'write'; use?: (db: Database) => void } = {},
): Database {
  const open = () => {
    const found = opened(path, { timeout: 0, fileMustExist: true, readonly: access === 'read' });
    try {
      if (realpathSync.native(dirname(path)) !== dirname(path)) refuse(REPLACED);
      checkFiles(path);
      return found;
    } catch (error) {
      found.close();
      throw error;
    }
  };
  return openInPlace(path, open, use) ?? refuse(REPLACED);
}

/** better-sqlite3 reports a missing folder as a mistake of the program, but it may have gone just now. */
function opened(path: string, options: Options): Database {
  try {
    return new Database(path, options);
  } catch (error) {
    if (error instanceof TypeError) refuse(REPLACED);
    throw error;
  }
}

/** Whether a project has a database; creates nothing. */
export function hasDatabase(projectPath: string, appDir: string): boolean {
  return statsOf(databasePath(projectPath, appDir)) !== undefined;
}

export function databasePath(projectPath: string, appDir: string): string {
  return join(projectPath, appDir, DATABASE_FILE);
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
  if (namesSuperJournal(journalOf(path))) {
    refuse(
      `${nameOf(path)}-journal belongs to a transaction over several databases, which is either still running or must be finished by the program that began it; try again, or move it away.`,
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

/** The eight bytes that begin every rollback journal, and that end one which names a super-journal. */
const JOURNAL_MAGIC = Buffer.from('d9d505f920a163d7', 'hex');

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function nameOf(path: string): string {
  return `${basename(dirname(path))}${sep}${basename(path)}`;
}

const REPLACED = 'The directory was replaced while it was being opened; try again.';

function refuse(message: string): never {
  throw new KnowledgeError('store_unavailable', message);
}

/**
 * Works in a folder by its canonical path, which stays the same folder even if one above it is replaced by a link
 * meanwhile: on Linux it is named by a descriptor.
 */
function inFolder(real: string, work: (folder: string) => void): void {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  const descriptor = openSync(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const held = `/proc/self/fd/${descriptor}`;
    const isNamed = lstatSync(held, { throwIfNoEntry: false }) !== undefined;
    if (realpathSync.native(isNamed ? held : real) !== real) refuse(REPLACED);
    work(isNamed ? held : real);
  } finally {
    closeSync(descriptor);
  }
}
