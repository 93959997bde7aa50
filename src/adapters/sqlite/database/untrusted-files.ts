import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { KnowledgeError, systemErrorCode } from '../../../domain/errors.js';
import { unavailable } from './errors.js';

/** Suffixes of the files that SQLite keeps beside a database. */
export const SIDECARS = ['-wal', '-shm', '-journal'] as const;

/**
 * Checks that existing files belong to this user, the superuser or the project's owner. Files of the latter two must
 * not be open to everybody, unless this user is the superuser.
 * @throws KnowledgeError `path_not_allowed`
 */
export function checkOwners(project: string, paths: readonly string[]): void {
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
      `${baseName(path)} belongs to another user, who could read its contents; delete it, or take ownership of it.`,
    );
  }
}

const OTHERS_READ_OR_WRITE = 0o006;

/**
 * Refuses anything but regular files, because SQLite would follow a link and write to, truncate or delete its target.
 * Also refuses the journal of a transaction over several databases.
 */
export function checkFiles(path: string): void {
  for (const file of [path, ...SIDECARS.map((suffix) => path + suffix)]) {
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) {
      refuse(`${baseName(file)} is not a regular file; move it away.`);
    }
  }
  if (namesSuperJournal(`${path}-journal`)) {
    refuse(
      `${baseName(path)}-journal belongs to a transaction over several databases; finish it with the program that began it, or move the file away.`,
    );
  }
}

/**
 * Whether a rollback journal names a super-journal. SQLite deletes the file of that name, which may be any file, once
 * it has rolled back (sqlite.org/fileformat.html, "The Rollback Journal").
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

/**
 * Opens a journal; undefined if it does not exist. Another process may end its transaction and delete it at any moment.
 */
function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The eight bytes that begin every rollback journal, and also end one that names a super-journal. */
const JOURNAL_MAGIC = Buffer.from('d9d505f920a163d7', 'hex');

export function baseName(path: string): string {
  return `${basename(dirname(path))}${sep}${basename(path)}`;
}

export function refuse(message: string): never {
  throw unavailable(message);
}
