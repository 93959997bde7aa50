import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Why a file of a project is not read. */
export class RefusedFile extends Error {}

/** A path that leads out of the project, where nothing belongs to it. */
export class OutsideFile extends RefusedFile {}

/**
 * Opens a regular file of a project for reading, and no other: not through a link that leads out of
 * the project, no pipe, no device. Undefined where there is no such file.
 * @throws RefusedFile for what is there but may not be read
 */
export async function openInside(
  projectPath: string,
  path: string,
): Promise<FileHandle | undefined> {
  const real = await realPathInside(projectPath, path);
  if (real === undefined) return undefined;
  const handle = await open(real, OPEN_FLAGS).catch(refuseUnreadable);
  if (handle === undefined) return undefined;
  try {
    await checkOpened(handle, real, projectPath);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Where a path of a project really leads; undefined where there is nothing.
 * @throws OutsideFile where that is outside the project, RefusedFile where it cannot be found out
 */
export async function realPathInside(
  projectPath: string,
  path: string,
): Promise<string | undefined> {
  const real = await realpath(join(projectPath, path)).catch(refuseUnreadable);
  if (real === undefined || isWithin(projectPath, real)) return real;
  throw new OutsideFile('it leads out of the project');
}

/** Whether a canonical path is a directory or lies in it, judged by whole names. */
export function isWithin(directory: string, path: string): boolean {
  return (
    path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
  );
}

/** A link that was put there after the check is not followed; opening a pipe does not wait. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What was opened is a regular file and still the one at the checked path. */
async function checkOpened(handle: FileHandle, real: string, projectPath: string): Promise<void> {
  const opened = await handle.stat();
  if (!opened.isFile()) throw new RefusedFile('it is not a regular file');
  const now = await realpath(real);
  const there = await lstat(now);
  if (!isWithin(projectPath, now) || there.ino !== opened.ino || there.dev !== opened.dev) {
    throw new RefusedFile('it was replaced while it was read');
  }
}

/**
 * Undefined for what does not exist, which only ENOENT and ENOTDIR say.
 * @throws RefusedFile where the system refuses, and every other error as it is
 */
export function refuseUnreadable(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  const reason = REASONS.get(String(code));
  if (reason === undefined) throw error;
  throw new RefusedFile(reason);
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'it may not be read'],
  ['EPERM', 'it may not be read'],
  ['ELOOP', 'its links lead nowhere'],
  ['ENXIO', 'it is not a regular file'],
  ['ENODEV', 'it is not a regular file'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['EIO', 'the disk failed to read it'],
]);
