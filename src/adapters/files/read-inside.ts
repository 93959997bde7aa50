import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { storableText } from '../../domain/chunks/text.js';
import type { FileReading, FileStat, SkippedFile } from '../../ports/driven/project-files.js';
import { openInside, RefusedFile, realPathInside, refuseUnreadable } from './inside-project.js';

/** Reads a file of a project by `textIn`; a file that may not be read has a reason. */
export async function readInside(
  projectPath: string,
  path: string,
  textIn: (handle: FileHandle, size: number) => Promise<string>,
): Promise<FileReading> {
  try {
    const opened = await openInside(projectPath, path);
    if (opened === undefined) return undefined;
    const { handle, stats } = opened;
    try {
      const isSettled = isOlderThan(stats, Date.now() - SETTLED_AFTER_MS);
      const text = storableText(await textIn(handle, Number(stats.size)));
      const hash = createHash('sha256').update(text).digest('hex');
      const file = `${stats.dev}:${stats.ino}`;
      return { text, hash, version: versionFrom(stats), file, isSettled };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof RefusedFile) return { skipped: error.message };
    throw error;
  }
}

/** At most `length` bytes, however much the file has grown since its size was taken. */
export async function readAt(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** The longest step in which a file system counts time, that of FAT. */
const SETTLED_AFTER_MS = 2000;

function isOlderThan({ mtimeMs, ctimeMs }: BigIntStats, time: number): boolean {
  return Number(mtimeMs) < time && Number(ctimeMs) < time;
}

/** Determined before the bytes are read, so that a write during the read leads to a newer version. */
export function versionFrom({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** The size and the version of a file of a project, which is not opened. */
export async function fileStatOf(
  projectPath: string,
  path: string,
): Promise<FileStat | SkippedFile | undefined> {
  try {
    const real = await realPathInside(projectPath, path);
    const stats = real && (await lstat(real, { bigint: true }).catch(refuseUnreadable));
    if (!stats) return undefined;
    if (!stats.isFile()) throw new RefusedFile('it is not a regular file');
    return { bytes: Number(stats.size), version: versionFrom(stats) };
  } catch (error) {
    if (error instanceof RefusedFile) return { skipped: error.message };
    throw error;
  }
}

/** Follows links, and asks for nothing but the version. */
export async function isStillAt(
  projectPath: string,
  path: string,
  version: string,
): Promise<boolean> {
  const found = stat(join(projectPath, path), { bigint: true });
  const stats = await found.catch(() => undefined);
  return stats !== undefined && versionFrom(stats) === version;
}

/** The stats of a file of a project. Opens it, because only that tells whether it may be read. */
export async function statsOf(
  projectPath: string,
  path: string,
): Promise<BigIntStats | SkippedFile | undefined> {
  try {
    const opened = await openInside(projectPath, path);
    await opened?.handle.close();
    return opened?.stats;
  } catch (error) {
    if (error instanceof RefusedFile) return { skipped: error.message };
    throw error;
  }
}
