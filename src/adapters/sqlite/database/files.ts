import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemErrorCode } from '../../../domain/errors.js';
import { DATABASE_FILE } from '../../../domain/project-layout.js';
import { excludeFromGit } from './exclude-from-git.js';
import { baseName, checkFiles, checkOwners, refuse, SIDECARS } from './untrusted-files.js';

export function databasePath(projectPath: string, appDir: string): string {
  return join(projectPath, appDir, DATABASE_FILE);
}

/**
 * Device and inode of a file, which tell it from a file that replaces it. Undefined if it does not exist. Does not
 * follow links.
 */
export function fileId(path: string): string | undefined {
  const found = readStats(path);
  return found && toFileId(found);
}

/**
 * When a file was created, in nanoseconds, which tells it from a later one with the same inode. Undefined if it does
 * not exist.
 */
export function readBirth(path: string): bigint | undefined {
  return readStats(path)?.birthtimeNs;
}

function toFileId({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`;
}

/** Size of a file in bytes; 0 if it does not exist. */
export function readSize(path: string): number {
  return Number(readStats(path)?.size ?? 0);
}

/** Whether a database is so large that searching for common words would block the event loop for over 0.1 s. */
export function isVeryLarge(path: string): boolean {
  return readSize(path) > VERY_LARGE_MIN_BYTES;
}

/** About 250,000 chunks with vectors. */
const VERY_LARGE_MIN_BYTES = 1024 ** 3;

/**
 * Creates the application directory if it is missing. Neither it nor the database may be a link or belong to another
 * user: an untrusted repository could contain a link that leads elsewhere, and another user could read private text.
 * @throws KnowledgeError `store_unavailable`, `path_not_allowed`
 */
export function prepareDirectory(projectPath: string, appDir: string): void {
  const directory = join(projectPath, appDir);
  inOpenFolder(projectPath, (place) =>
    unlessThere(() => mkdirSync(join(place, appDir), { mode: 0o700 })),
  );
  if (!isCanonical(directory) || !lstatSync(directory).isDirectory()) {
    refuse(`${appDir} is not a directory; the knowledge store needs a real directory there.`);
  }
  const path = join(directory, DATABASE_FILE);
  checkOwners(projectPath, [directory, path, ...SIDECARS.map((suffix) => path + suffix)]);
  checkFiles(path);
  inOpenFolder(directory, (place) => excludeFromGit(projectPath, place));
}

/**
 * Creates an empty database file that only its owner may read, unless it exists. SQLite gives sidecars the same
 * permissions, and deletes the log of a former database at this path.
 * @throws KnowledgeError `store_unavailable` if the folder was replaced by a link since `prepareDirectory`
 */
export function createFile(path: string): void {
  inOpenFolder(dirname(path), (place) => {
    const at = join(place, basename(path));
    unlessThere(() => writeFileSync(at, '', { flag: 'wx', mode: 0o600 }));
  });
}

/**
 * Runs work in a folder. On Linux the work gets the path of the open folder, which stays the same even if a link
 * replaces it.
 */
function inOpenFolder(folder: string, work: (place: string) => void): void {
  const descriptor = openFolder(folder);
  try {
    checkFolder(join(folder, DATABASE_FILE));
    if (toFileId(fstatSync(descriptor, { bigint: true })) !== fileId(folder)) refuse(REPLACED);
    const opened = `/proc/self/fd/${descriptor}`;
    work(existsSync(opened) ? opened : folder);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Whether a database and its folder may be written. SQLite's own refusal does not tell: it also refuses while the file
 * is moved away and back.
 */
export function mayWrite(path: string): boolean {
  try {
    for (const one of [dirname(path), path]) accessSync(one, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function openFolder(folder: string): number {
  try {
    return openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (['ENOTDIR', 'ELOOP'].includes(systemErrorCode(error))) refuse(REPLACED);
    throw error;
  }
}

const REPLACED = 'The folder of the knowledge store was replaced; try again.';

/** @throws KnowledgeError `store_unavailable` if the folder of a database was replaced by a link */
export function checkFolder(path: string): void {
  if (!isCanonical(dirname(path)))
    refuse(`${baseName(dirname(path))} was replaced by a link; try again.`);
}

/**
 * Replaces a database with a new one that nobody has open, and keeps the former one under another name. Moves the log
 * of the former one first, because SQLite would apply it to the new file.
 */
export function replaceFile(path: string, replacement: string, aside: string): void {
  for (const suffix of SIDECARS) renameIfThere(path + suffix, aside + suffix);
  try {
    linkSync(path, aside);
  } catch {
    renameSync(path, aside); // on a file system without hard links
  }
  renameSync(replacement, path);
}

/**
 * Deletes a database with its sidecars, if they exist.
 * @throws KnowledgeError `store_unavailable` if a folder is in the place of a file
 */
export function removeDatabase(path: string): void {
  for (const file of ['', ...SIDECARS].map((suffix) => path + suffix)) {
    if (readStats(file)?.isDirectory())
      refuse(`${baseName(file)} is not a regular file; move it away.`);
    rmSync(file, { force: true });
  }
}

/** Whether no part of an existing path is a link. */
function isCanonical(path: string): boolean {
  return realpathSync.native(path) === path;
}

/** Reads the entry at a path; undefined if it is missing, or if a part of the path above it is a file. */
function readStats(path: string) {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (systemErrorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Creates something unless it exists; another process may create it at the same moment. */
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
