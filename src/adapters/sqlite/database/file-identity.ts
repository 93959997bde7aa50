import { type BigIntStats, lstatSync, renameSync, rmSync } from 'node:fs';
import { codeOf } from '../../../domain/errors.js';

/** Device and inode: tells a file from another that has replaced it; undefined if it does not exist. */
export function fileId(path: string): string | undefined {
  const found = statsOf(path);
  return found && `${found.dev} ${found.ino}`;
}

/** The inode number of a file; a copy has another one. */
export function inodeOf(path: string): string {
  return String(lstatSync(path, { bigint: true }).ino);
}

/** Which files a database and its write-ahead log are; undefined where there is none. */
export interface FileIdentity {
  readonly file: string | undefined;
  readonly log: string | undefined;
}

export function identityOf(path: string): FileIdentity {
  return { file: fileId(path), log: fileId(logOf(path)) };
}

export function isSameFile(path: string, { file, log }: FileIdentity): boolean {
  const found = identityOf(path);
  return found.file === file && found.log === log;
}

/**
 * Moves the write-ahead log with this identity to another name, or removes it if it is empty. One with another identity
 * belongs to another file.
 */
export function moveLogAway(path: string, { log }: FileIdentity, aside: string): void {
  if (log === undefined || fileId(logOf(path)) !== log) return;
  rmSync(`${path}-shm`, { force: true });
  if (sizeOf(logOf(path)) === 0) rmSync(logOf(path), { force: true });
  else renameIfThere(logOf(path), logOf(aside));
}

/**
 * Moves a database and its sidecars to another name, and returns it.
 * @param id the `fileId` of the file that is meant. If `path` is another file by now, nothing is moved and
 *   the result is undefined: a second process that found the same damage may already have created a new store.
 */
export function moveAside(path: string, id: string, aside: string): string | undefined {
  const sidecars = SIDECARS.map((suffix) => ({ suffix, file: fileId(path + suffix) }));
  if (fileId(path) !== id) return undefined;
  renameSync(path, aside);
  for (const { suffix, file } of sidecars) {
    // From now on another process may create a store here.
    const isSame = file !== undefined && fileId(path + suffix) === file;
    if (isSame) renameIfThere(path + suffix, aside + suffix);
  }
  return aside;
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** A new name for a database, or its log, that is set aside; with a number if something has that name. */
export function asideName(path: string, as: 'corrupt' | 'replaced', at: Date): string {
  const wanted = `${path}.${as}-${at.toISOString().replaceAll(':', '-')}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}.${number}`;
    if (fileId(name) === undefined && fileId(logOf(name)) === undefined) return name;
  }
}

/** Size of a file in bytes; 0 if it does not exist. */
export function sizeOf(path: string): number {
  return Number(statsOf(path)?.size ?? 0);
}

export function logOf(path: string): string {
  return `${path}-wal`;
}

export function journalOf(path: string): string {
  return `${path}-journal`;
}

/** Suffixes of the files that SQLite keeps beside a database. */
export const SIDECARS = ['-wal', '-shm', '-journal'] as const;

/** What is at a path, links not followed; undefined if nothing is, or if what should be a folder above it is a file. */
export function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
