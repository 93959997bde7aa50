import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { storableText } from '../../domain/chunks/text.js';
import type { FileReading, FileStat, SkippedFile } from '../../ports/driven/project-files.js';
import {
  openInside,
  RefusedFile,
  readOpened,
  realPathInside,
  unlessUnreadable,
} from './inside-project.js';
import type { OpenFile } from './open-file.js';

/** Reads a file of a project by `textIn`; a file that may not be read has a reason. */
export async function readInside(
  projectPath: string,
  path: string,
  textIn: (file: OpenFile, size: number) => Promise<string>,
): Promise<FileReading> {
  try {
    const reading = await readOpened(projectPath, path, async ({ file, stats }) => {
      const isSettled = isOlderThan(stats, Date.now() - SETTLED_AFTER_MS);
      const text = storableText(await textIn(file, Number(stats.size)));
      if (text.length > LARGE) await setImmediate(); // To decode and to hash 10 MB takes 20 ms each.
      const hash = createHash('sha256').update(text).digest('hex');
      const identity = `${stats.dev}:${stats.ino}`;
      return { text, hash, version: versionFrom(stats), file: identity, isSettled };
    });
    // A folder lists a name that is not UTF-8 with replacement characters, by which the file cannot be opened.
    const isMisnamed = reading === undefined && path.includes('\ufffd');
    return isMisnamed ? { skipped: 'its name is not UTF-8: rename it' } : reading;
  } catch (error) {
    if (error instanceof RefusedFile) return { skipped: error.message };
    throw error;
  }
}

/** In UTF-16 units. */
const LARGE = 2 ** 20;

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
    if (!stats.isFile()) throw new RefusedFile('it is not a regular file');
    return { bytes: Number(stats.size), version: versionFrom(stats) };
  });
}

/** Follows links, and asks for nothing but the version. */
export function isStillAt(projectPath: string, path: string, version: string): boolean {
  try {
    return versionFrom(statSync(join(projectPath, path), { bigint: true })) === version;
  } catch {
    return false;
  }
}

/** The version of a file of a project; undefined unless it may be read, which only opening it tells. */
export function openedVersion(projectPath: string, path: string): string | undefined {
  const stats = unlessRefused(() => {
    const opened = openInside(projectPath, path);
    opened?.file.close();
    return opened?.stats;
  });
  return stats === undefined || 'skipped' in stats ? undefined : versionFrom(stats);
}

function unlessRefused<T>(work: () => T): T | SkippedFile {
  try {
    return work();
  } catch (error) {
    if (error instanceof RefusedFile) return { skipped: error.message };
    throw error;
  }
}
