import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { basename, join, sep } from 'node:path';
import { systemErrorCode } from '../../domain/errors.js';
import { DATABASE_FILE } from '../../domain/project-layout.js';
import { isOpenHere } from '../../shared/opened-databases.js';

/** A file of a project that must not be read; the message says why. */
export class RefusedFile extends Error {}

/** The path does not lead to a regular file of the project. */
export class NotAFile extends RefusedFile {
  constructor(reason = 'it is not a regular file') {
    super(reason);
  }
}

/** The path leads out of the project. */
export class OutsideFile extends NotAFile {}

/** A file that is open for reading, and its state at that time. */
export interface OpenFile {
  readonly descriptor: number;
  readonly stats: BigIntStats;
}

/**
 * Opens a file of a project for reading; undefined if it does not exist. Only regular files are opened: no pipe, no
 * device, none of our databases, and nothing behind a link that leads out of the project.
 * @throws RefusedFile if something exists at the path but must not be read
 */
function openInside(projectPath: string, path: string): OpenFile | undefined {
  const real = realPathInside(projectPath, path);
  if (real === undefined) return undefined;
  const isDatabase = basename(real).startsWith(DATABASE_FILE);
  if (isDatabase || isOtherNameOfOpened(real)) throw new NotAFile(IS_DATABASE);
  const descriptor = unlessUnreadable(() => openSync(real, OPEN_FLAGS));
  if (descriptor === undefined) return undefined;
  try {
    return { descriptor, stats: checkOpened(descriptor, real, projectPath) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Whether a file is a hard link to a database that this process has open. */
function isOtherNameOfOpened(real: string): boolean {
  const found = unlessUnreadable(() => lstatSync(real, { bigint: true }));
  return found !== undefined && found.nlink > 1n && isOpenHere(`${found.dev} ${found.ino}`);
}

/**
 * Databases are never opened here: closing any descriptor of a file drops all locks of this process on it, and another
 * program may then delete the log that is in use.
 */
const IS_DATABASE = 'it is a database of the knowledge store';

/**
 * Opens a file with `openInside`, passes it to `read`, and closes it. Undefined if the file does not exist.
 * @throws RefusedFile if the system cannot read it, or `read` refuses it
 */
export function readOpened<T>(
  projectPath: string,
  path: string,
  read: (file: OpenFile) => T,
): T | undefined {
  const file = openInside(projectPath, path);
  if (file === undefined) return undefined;
  try {
    return unlessUnreadable(() => read(file));
  } finally {
    closeSync(file.descriptor);
  }
}

/** Reads up to `length` bytes from `start`; fewer if the file ends before. */
export function bytesAt({ descriptor }: OpenFile, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(descriptor, bytes, filled, length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/**
 * The canonical path for a path of a project; undefined if nothing exists there.
 * @throws OutsideFile if it is outside the project, RefusedFile if it cannot be determined
 */
export function realPathInside(projectPath: string, path: string): string | undefined {
  const real = unlessUnreadable(() => realpathSync.native(join(projectPath, path)));
  if (real === undefined || isWithin(projectPath, real)) return real;
  throw new OutsideFile('it leads out of the project');
}

/** Whether a canonical path is a directory or is inside it, compared by whole names. */
export function isWithin(directory: string, path: string): boolean {
  return (
    path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
  );
}

/** Does not follow a link that was put there after the check, and does not block on a pipe. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Checks that the opened file is a regular file and still the one at the checked path. */
function checkOpened(descriptor: number, real: string, projectPath: string): BigIntStats {
  const opened = fstatSync(descriptor, { bigint: true });
  if (!opened.isFile()) throw new NotAFile();
  if (isInPlace(projectPath, real, opened)) return opened;
  throw new RefusedFile('it was replaced while it was being opened');
}

/** Whether the opened file is still at its canonical path, and the path has not become a link out of the project. */
export function isInPlace(projectPath: string, real: string, opened: BigIntStats): boolean {
  const now = unlessUnreadable(() => realpathSync.native(real));
  const there = now && unlessUnreadable(() => lstatSync(now, { bigint: true }));
  if (!now || !there) return false;
  return isWithin(projectPath, now) && there.ino === opened.ino && there.dev === opened.dev;
}

/**
 * The result of a file system call; undefined if the file does not exist.
 * @throws RefusedFile for any other file system error, so that one file does not fail the others
 */
export function unlessUnreadable<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    const code = systemErrorCode(error);
    if (NOT_THERE.has(code)) return undefined;
    if (!SYSTEM_CODE.test(code)) throw error;
    throw new RefusedFile(REASONS.get(code) ?? `the system cannot read it (${code})`);
  }
}

/** `ERR_INVALID_ARG_VALUE` is Node's error for a path with a NUL, which a database may contain. */
const NOT_THERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ERR_INVALID_ARG_VALUE']);

/** Matches codes of the operating system; those of Node.js itself begin with `ERR_`. */
const SYSTEM_CODE = /^E(?!RR_)[A-Z0-9]+$/;

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'the service has no permission to read it'],
  ['EPERM', 'the service has no permission to read it'],
  ['ELOOP', 'its links form a loop'],
  ['ENXIO', 'it is not a regular file'],
  ['ENODEV', 'it is not a regular file'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['EIO', 'the disk failed to read it'],
]);
