import { codeOf, KnowledgeError, reasonOf, STORE_LOCKED } from '../../../domain/errors.js';
import { Database } from './driver.js';

/** Only these may lead to setting a database aside; never a lock, a full disk or a failing one. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB)/;
const BUSY = /^SQLITE_(BUSY|LOCKED)/;
const NO_LOCKS =
  /^SQLITE_(IOERR_(SHMOPEN|SHMMAP|SHMLOCK|LOCK|RDLOCK|UNLOCK|CHECKRESERVEDLOCK)|NOLFS)$|^ENOLCK$/;
const FAILED = /^SQLITE_(IOERR|NOMEM|PROTOCOL)/;
const FULL = /^SQLITE_(FULL|IOERR_WRITE|IOERR_SHMSIZE)$|^(ENOSPC|EDQUOT|EFBIG)$/;
const TAKEN = /^SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE)$/;
const FOREIGN_SCHEMA = /^SQLITE_(ERROR|CONSTRAINT|MISMATCH|TOOBIG)/;
const BROKEN_FULL_TEXT =
  /^(invalid fts5 file format|constraint failed$|vtable constructor failed: (chunks_fts|store_cjk)$)/;
/** What FTS5 returns where it cannot read what it has stored. */
const DAMAGED_FULL_TEXT = 'SQLITE_CORRUPT_VTAB';
const OTHER_ENCODING = 'attached databases must use the same text encoding';
const NOT_WRITABLE =
  /^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EISDIR|ELOOP|ENAMETOOLONG)$/;

export function isDamage(error: unknown): boolean {
  return DAMAGE.test(codeOf(error)) || isBrokenFullText(error) || hasOtherEncoding(error);
}

/** Whether another program has changed the encoding of a database since this connection made its temporary one. */
function hasOtherEncoding(error: unknown): boolean {
  return isForeignSchema(error) && reasonOf(error).startsWith(OTHER_ENCODING);
}

/**
 * Whether the own tables of a full-text index say something impossible, are missing, or have rows already that it wants to add. Where
 * a constraint of another table fails, SQLite names it.
 */
export function isBrokenFullText(error: unknown): boolean {
  if (codeOf(error) === DAMAGED_FULL_TEXT) return true;
  return isForeignSchema(error) && BROKEN_FULL_TEXT.test(reasonOf(error));
}

export function isBusy(error: unknown): boolean {
  return BUSY.test(codeOf(error));
}

export function isNotWritable(error: unknown): boolean {
  return NOT_WRITABLE.test(codeOf(error));
}

/** Whether there is a row with this key. */
export function isTaken(error: unknown): boolean {
  return TAKEN.test(codeOf(error)) && !isBrokenFullText(error);
}

/** Whether SQLite refused a statement because of the schema that it found, as a store of ours never makes it. */
export function isForeignSchema(error: unknown): boolean {
  return FOREIGN_SCHEMA.test(codeOf(error));
}

/** Translates what SQLite or the file system threw; a KnowledgeError passes through. */
export function toKnowledgeError(cause: unknown): unknown {
  if (cause instanceof KnowledgeError) return cause;
  const code = codeToTranslate(cause);
  const found = TRANSLATIONS.find(({ when }) => when.test(code));
  if (found !== undefined) return new KnowledgeError(found.code, found.message, { cause });
  const foreign = cause instanceof Database.SqliteError;
  return foreign
    ? new KnowledgeError('internal', `The database failed: ${reasonOf(cause)}`, { cause })
    : cause;
}

function codeToTranslate(cause: unknown): string {
  if (isBrokenFullText(cause)) return DAMAGED_FULL_TEXT;
  return hasOtherEncoding(cause) ? 'SQLITE_CORRUPT' : codeOf(cause);
}

const TRANSLATIONS = [
  {
    when: BUSY,
    code: 'store_unavailable',
    message: STORE_LOCKED,
  },
  {
    when: FULL,
    code: 'storage_full',
    message: 'There is no space left to write the knowledge store; free some and try again.',
  },
  {
    when: /^SQLITE_CORRUPT_VTAB$/,
    code: 'store_unavailable',
    message:
      'The full-text index of the knowledge store is damaged and is being made again from the chunks; try again shortly.',
  },
  {
    when: DAMAGE,
    code: 'store_unavailable',
    message: 'The knowledge store is damaged and is being replaced; try again shortly.',
  },
  {
    when: NO_LOCKS,
    code: 'store_unavailable',
    message:
      'The file system of the project cannot lock or share files in memory, which SQLite needs; move the project to a local disk.',
  },
  {
    when: NOT_WRITABLE,
    code: 'store_unavailable',
    message:
      'The knowledge store cannot be opened or written; check the permissions of its directory.',
  },
  {
    when: FAILED,
    code: 'store_unavailable',
    message:
      'The disk, its file system or the memory failed the knowledge store, or its folder was moved; try again.',
  },
] as const;
