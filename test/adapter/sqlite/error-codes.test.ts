import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import type { openDatabase } from '../../../src/adapters/sqlite/database/open-database.js';
import { isDamage } from '../../../src/adapters/sqlite/database/sqlite-errors.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import { TempProjects } from '../../support/temp-project.js';

const failing = vi.hoisted(() => ({ with: undefined as Error | undefined }));
vi.mock('../../../src/adapters/sqlite/database/open-database.js', async (original) => {
  const actual = await original<{ openDatabase: typeof openDatabase }>();
  return {
    ...actual,
    openDatabase: (...args: Parameters<typeof openDatabase>) => {
      const error = failing.with;
      failing.with = undefined;
      return error === undefined ? actual.openDatabase(...args) : Promise.reject(error);
    },
  };
});

const projects = new TempProjects();
afterEach(() => {
  failing.with = undefined;
});
afterAll(() => projects.removeAll());

/** `aside`: the file is set aside and a new store opens; otherwise the error that the opening fails with. */
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
    SQLITE_IOERR: 'internal',
    SQLITE_IOERR_READ: 'internal',
    SQLITE_IOERR_SHORT_READ: 'internal',
    SQLITE_IOERR_FSYNC: 'internal',
    SQLITE_IOERR_CORRUPTFS: 'internal',
    SQLITE_NOMEM: 'internal',
    SQLITE_PROTOCOL: 'internal',
    SQLITE_ERROR: 'internal',
    SQLITE_MISUSE: 'internal',
    SQLITE_INTERRUPT: 'internal',
    SQLITE_SCHEMA: 'internal',
    SQLITE_CONSTRAINT_UNIQUE: 'internal',
  };

const KEPT = 'what another process may still need';

test.each(Object.entries(CODES))('%s: %s', async (code, expected) => {
  const project = projects.make();
  mkdirSync(project.at('.knowledge'));
  writeFileSync(project.database, KEPT);
  const stores = sqliteStores();
  failing.with = new Database.SqliteError('database disk image is malformed', code);
  expect(isDamage(failing.with)).toBe(expected === 'aside');
  const opened = await stores.open(project.path).then(
    () => 'aside',
    (error: { readonly code?: string }) => error.code,
  );
  const files = readdirSync(project.at('.knowledge')).filter((name) => /corrupt|\.db$/.test(name));
  await stores.close();
  expect(opened).toBe(expected);
  expect(files.filter((name) => name.includes('corrupt'))).toHaveLength(
    expected === 'aside' ? 1 : 0,
  );
  expect(files).toContain('knowledge.db');
});

test('an error that only looks like damage is none', () => {
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
