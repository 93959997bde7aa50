import { expect, test } from 'vitest';
import { sqliteDriver } from '../../../src/adapters/sqlite/database/driver.js';
import { isDamage, toKnowledgeError } from '../../../src/adapters/sqlite/database/errors.js';

/** `aside`: the file is set aside and a new store opens; otherwise the error that a call fails with. */
const CODES = {
  aside: 'CORRUPT CORRUPT_VTAB CORRUPT_SEQUENCE CORRUPT_INDEX NOTADB',
  store_unavailable: `BUSY BUSY_RECOVERY BUSY_SNAPSHOT BUSY_TIMEOUT LOCKED LOCKED_SHAREDCACHE
    READONLY READONLY_DIRECTORY READONLY_DBMOVED READONLY_RECOVERY READONLY_ROLLBACK CANTOPEN
    CANTOPEN_ISDIR PERM AUTH IOERR_SHMMAP IOERR_SHMOPEN IOERR_SHMLOCK IOERR_LOCK IOERR_RDLOCK IOERR IOERR_READ
    IOERR_SHORT_READ IOERR_FSYNC IOERR_CORRUPTFS NOMEM PROTOCOL`,
  storage_full: 'FULL IOERR_WRITE IOERR_SHMSIZE',
  internal: 'ERROR MISUSE INTERRUPT SCHEMA CONSTRAINT_UNIQUE',
};

const CASES = Object.entries(CODES).flatMap(([expected, codes]) =>
  codes.split(/\s+/).map((code) => [`SQLITE_${code}`, expected] as const),
);

test.each(CASES)('%s: %s', (code, expected) => {
  const error = new (sqliteDriver().SqliteError)('database disk image is malformed', code);
  expect(isDamage(error)).toBe(expected === 'aside');
  const outside = expected === 'aside' ? 'store_unavailable' : expected;
  expect(toKnowledgeError(error)).toMatchObject({ code: outside });
});

test('a folder that cannot be written is named', () => {
  const error = new (sqliteDriver().SqliteError)('readonly', 'SQLITE_READONLY');
  expect(toKnowledgeError(error, '/shop/.knowledge')).toMatchObject({
    message:
      'The knowledge store cannot be opened or written; check the permissions of /shop/.knowledge, or set KNOWLEDGE_STORE=memory.',
  });
});

test('a file system that cannot lock or share files is named', () => {
  const error = new (sqliteDriver().SqliteError)('disk I/O error', 'SQLITE_IOERR_SHMMAP');
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

test('a constraint that fails in the own tables of a full-text index counts as damage', () => {
  const inside = new (sqliteDriver().SqliteError)(
    'constraint failed',
    'SQLITE_CONSTRAINT_PRIMARYKEY',
  );
  expect(isDamage(inside)).toBe(true);
  const text = 'UNIQUE constraint failed: chunks.id';
  const ours = new (sqliteDriver().SqliteError)(text, 'SQLITE_CONSTRAINT_PRIMARYKEY');
  expect(isDamage(ours)).toBe(false);
});
