import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { systemErrorCode } from '../../domain/errors.js';
import type { FileReading, FileStat, SkippedFile } from '../../ports/project-files.js';
import {
  NotAFile,
  type OpenFile,
  RefusedFile,
  readOpened,
  realPathInside,
  unlessUnreadable,
} from './inside-project.js';

/** Reads a file of a project by `textIn`; a file that may not be read has a reason. */
export function readInside(
  projectPath: string,
  path: string,
  textIn: (file: OpenFile) => string,
): FileReading {
  const reading = unlessRefused(() =>
    readOpened(projectPath, path, (file) => {
      const { stats } = file;
      const isSettled = isOlderThan(stats, Date.now() - SETTLED_AFTER_MS);
      const text = textIn(file);
      const hash = createHash('sha256').update(text).digest('hex');
      return { text, hash, version: versionFrom(stats), isSettled };
    }),
  );
  // A folder lists a name that is not UTF-8 with replacement characters, by which the file cannot be opened.
  const isMisnamed = reading === undefined && path.includes('\ufffd');
  return isMisnamed ? { skipped: 'its name is not UTF-8: rename it' } : reading;
}

/** The longest step in which a file system counts time, that of FAT. */
const SETTLED_AFTER_MS = 2000;

function isOlderThan({ mtimeMs, ctimeMs }: BigIntStats, time: number): boolean {
  return Number(mtimeMs) < time && Number(ctimeMs) < time;
}

/** Determined before the bytes are read, so that a write during the read leads to a newer version. */
function versionFrom({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** The size and the version of a file of a project, which is not opened. */
export function fileStatOf(projectPath: string, path: string): FileStat | SkippedFile | undefined {
  return unlessRefused(() => {
    const real = realPathInside(projectPath, path);
    const stats = real && unlessUnreadable(() => lstatSync(real, { bigint: true }));
    if (!stats) return undefined;
    if (!stats.isFile()) throw new NotAFile();
    return { bytes: Number(stats.size), version: versionFrom(stats) };
  });
}

/** Follows links, and reads only the version. */
export function isStillAt(projectPath: string, path: string, version: string | undefined): boolean {
  try {
    return versionFrom(statSync(join(projectPath, path), { bigint: true })) === version;
  } catch (error) {
    return version === undefined && ['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error));
  }
}

/** The version of a file of a project; undefined unless it may be read, which only opening it tells. */
export function openedVersion(projectPath: string, path: string): string | undefined {
  const version = unlessRefused(() =>
    readOpened(projectPath, path, ({ stats }) => versionFrom(stats)),
  );
  return typeof version === 'string' ? version : undefined;
}

function unlessRefused<T>(work: () => T): T | SkippedFile {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RefusedFile)) throw error;
    const isFile = !(error instanceof NotAFile);
    return isFile ? { skipped: error.message } : { skipped: error.message, kind: 'no file' };
  }
}
