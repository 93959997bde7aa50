import {
  errorReason,
  KnowledgeError,
  StoreLocked,
  systemErrorCode,
} from '../../../domain/errors.js';
import { sqliteDriver } from './driver.js';

export function isDamage(error: unknown): boolean {
  return DAMAGE.test(systemErrorCode(error)) || hasBrokenFormat(error);
}

/** The error to throw if one statement finds rows of a table that another does not. */
export function damageError(table: string): Error {
  return new (sqliteDriver().SqliteError)(
    `${table} is damaged: one statement found rows that another did not`,
    'SQLITE_CORRUPT',
  );
}

export function isBusy(error: unknown): boolean {
  return BUSY.test(systemErrorCode(error));
}

export function isNotWritable(error: unknown): boolean {
  return NOT_WRITABLE.test(systemErrorCode(error));
}

export function isFull(error: unknown): boolean {
  return FULL.test(systemErrorCode(error));
}

export function unavailable(message: string): KnowledgeError {
  return new KnowledgeError('store_unavailable', message);
}

/**
 * Translates errors of SQLite and the file system; a KnowledgeError passes through.
 * @param folder the folder of the database, which a message names
 */
export function toKnowledgeError(cause: unknown, folder = 'its directory'): unknown {
  if (cause instanceof KnowledgeError) return cause;
  const code = hasBrokenFormat(cause) ? 'SQLITE_CORRUPT_VTAB' : systemErrorCode(cause);
  if (BUSY.test(code)) return new StoreLocked({ cause });
  const found = TRANSLATIONS.find(({ when }) => when.test(code));
  if (found !== undefined) return new KnowledgeError(found.code, found.message(folder), { cause });
  return cause instanceof sqliteDriver().SqliteError
    ? new KnowledgeError('internal', `The database failed: ${errorReason(cause)}`, { cause })
    : cause;
}

/** Whether SQLite or FTS5 reports unusable data under a code that usually means something else. */
function hasBrokenFormat(error: unknown): boolean {
  return (
    /^SQLITE_(ERROR|CONSTRAINT)/.test(systemErrorCode(error)) &&
    BROKEN_FORMAT.test(errorReason(error))
  );
}

/** A damaged database is set aside, so a lock or a full or failing disk must never match. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB)/;
const BUSY = /^SQLITE_(BUSY|LOCKED)/;
const NOT_WRITABLE =
  /^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EISDIR|ELOOP|ENAMETOOLONG)$/;
const FULL = /^SQLITE_(FULL|IOERR_WRITE|IOERR_SHMSIZE)$|^(ENOSPC|EDQUOT|EFBIG)$/;
const BROKEN_FORMAT =
  /^(unsupported file format|invalid fts5 file format|constraint failed$|vtable constructor failed: )/;

const TRANSLATIONS = [
  {
    when: FULL,
    code: 'storage_full',
    message: () =>
      'There is no space left to write the knowledge store; free some space and try again.',
  },
  {
    when: DAMAGE,
    code: 'store_unavailable',
    message: () => 'The knowledge store is damaged and is being replaced; try again shortly.',
  },
  {
    when: /^SQLITE_(IOERR_(SHMOPEN|SHMMAP|SHMLOCK|LOCK|RDLOCK|UNLOCK|CHECKRESERVEDLOCK)|NOLFS)$|^ENOLCK$/,
    code: 'store_unavailable',
    message: () =>
      'The file system of the project cannot lock or share files in memory, which SQLite needs; move the project to a local disk.',
  },
  {
    when: NOT_WRITABLE,
    code: 'store_unavailable',
    message: (folder: string) =>
      `The knowledge store cannot be opened or written; check the permissions of ${folder}, or set KNOWLEDGE_STORE=memory.`,
  },
  {
    when: /^SQLITE_(IOERR|NOMEM|PROTOCOL)/,
    code: 'store_unavailable',
    message: () =>
      'The disk, its file system or the memory has failed, or the folder of the knowledge store was moved; try again.',
  },
] as const;
