import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import {
  isDamage,
  isTaken,
  toKnowledgeError,
} from '../../../src/adapters/sqlite/database/sqlite-errors.js';

/** `aside`: the file is set aside and a new store opens; otherwise the error that a call fails with. */
const CODES: Readonly<Record<string, 'aside' | 'store_unavailable' | 'storage_full' | 'internal'>> =
  {
    SQLITE_CORRUPT: 'aside',
    SQLITE_CORRUPT_VTAB: 'aside',
    SQLITE_CORRUPT_SEQUENCE: 'aside',
    SQLITE_CORRUPT_INDEX: 'aside',
    SQLITE_NOTADB: 'aside',
    SQLITE_BUSY: 'store_unavailable',
    SQLITE_BUSY_RECOVERY: 'store_unavailable',
    SQLITE_BUSY_SNAPSHOT: 'store_unavailable',
    SQLITE_BUSY_TIMEOUT: 'store_unavailable',
    SQLITE_LOCKED: 'store_unavailable',
    SQLITE_LOCKED_SHAREDCACHE: 'store_unavailable',
    SQLITE_READONLY: 'store_unavailable',
    SQLITE_READONLY_DIRECTORY: 'store_unavailable',
    SQLITE_READONLY_DBMOVED: 'store_unavailable',
    SQLITE_READONLY_RECOVERY: 'store_unavailable',
    SQLITE_CANTOPEN: 'store_unavailable',
    SQLITE_CANTOPEN_ISDIR: 'store_unavailable',
    SQLITE_PERM: 'store_unavailable',
    SQLITE_AUTH: 'store_unavailable',
    SQLITE_FULL: 'storage_full',
    SQLITE_IOERR_WRITE: 'storage_full',
    SQLITE_IOERR_SHMSIZE: 'storage_full',
    SQLITE_IOERR_SHMMAP: 'store_unavailable',
    SQLITE_IOERR_SHMOPEN: 'store_unavailable',
    SQLITE_IOERR_SHMLOCK: 'store_unavailable',
    SQLITE_IOERR_LOCK: 'store_unavailable',
    SQLITE_IOERR_RDLOCK: 'store_unavailable',
    SQLITE_IOERR: 'store_unavailable',
    SQLITE_IOERR_READ: 'store_unavailable',
    SQLITE_IOERR_SHORT_READ: 'store_unavailable',
    SQLITE_IOERR_FSYNC: 'store_unavailable',
    SQLITE_IOERR_CORRUPTFS: 'store_unavailable',
    SQLITE_NOMEM: 'store_unavailable',
    SQLITE_PROTOCOL: 'store_unavailable',
    SQLITE_ERROR: 'internal',
    SQLITE_MISUSE: 'internal',
    SQLITE_INTERRUPT: 'internal',
    SQLITE_SCHEMA: 'internal',
    SQLITE_CONSTRAINT_UNIQUE: 'internal',
  };

test.each(Object.entries(CODES))('%s: %s', (code, expected) => {
  const error = new Database.SqliteError('database disk image is malformed', code);
  expect(isDamage(error)).toBe(expected === 'aside');
  const outside = expected === 'aside' ? 'store_unavailable' : expected;
  expect(toKnowledgeError(error)).toMatchObject({ code: outside });
});

test('a file system that cannot lock or share files is named', () => {
  const error = new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_SHMMAP');
  expect(toKnowledgeError(error)).toMatchObject({
    message: expect.stringContaining('move the project to a local disk'),
  });
});

test('an error that only looks like damage does not count as damage', () => {
  for (const error of [
    new Error('SQLITE_CORRUPT'),
    Object.assign(new Error('database disk image is malformed'), { code: 'EIO' }),
    Object.assign(new Error(''), { code: 11 }),
    { code: 'SQLITE_CORRUPT' },
    'SQLITE_CORRUPT',
    undefined,
  ]) {
    expect(isDamage(error)).toBe(false);
  }
});

test('a constraint that fails in the own tables of a full-text index counts as damage, not as a row that is there', () => {
  const inside = new Database.SqliteError('constraint failed', 'SQLITE_CONSTRAINT_PRIMARYKEY');
  expect([isDamage(inside), isTaken(inside)]).toEqual([true, false]);
  const text = 'UNIQUE constraint failed: chunks.id';
  const ours = new Database.SqliteError(text, 'SQLITE_CONSTRAINT_PRIMARYKEY');
  expect([isDamage(ours), isTaken(ours)]).toEqual([false, true]);
});
