import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/adapters/sqlite/database/driver.js';
import { isFullTextInStep } from '../../../src/adapters/sqlite/keyword/full-text-check.js';
import { type Subject, useSubject } from '../../../src/testing/harness/contract-suite.js';
import { expressionOf, found, ingest } from '../../../src/testing/harness/steps.js';
import { document } from '../../support/chunks.js';
import { execute, verifyDatabase, withDatabase } from '../../support/database-inspection.js';
import { sqliteHarness } from './project-stores-harness.js';

const subject = useSubject(sqliteHarness);

describe('A full-text index that matches the chunks, in SQLite', () => {
  it('is compared while another program holds the write lock', async () => {
    await ingest(subject(), document('a', ['copper', '用户认证']));
    const other = new Database(databaseOf(subject()));
    other.exec("BEGIN IMMEDIATE; UPDATE chunks SET content = 'walnut'");
    expect(await subject().store.care.examine()).toEqual([]);
    await subject().store.care.repairIndexes();
    other.exec('COMMIT');
    other.close();
    expect(await subject().store.care.examine()).toEqual([]);
  });

  it('is found right after another process has merged parts that a search here has seen', async () => {
    const { harness, store } = subject();
    const texts = Array.from({ length: 600 }, (_, number) => `copper ${number} 用户${number}`);
    await ingest(subject(), document('a', texts));
    await found(subject(), 'copper');
    await found(subject(), '用户');
    const other = await harness.otherProcess().open(harness.projectPath);
    for (let file = 0; file < 40; file += 1) {
      await ingest({ ...subject(), store: other }, document(`b${file}`, [`登录用户 ${file}`]));
    }
    const version = schemaVersion();
    expect(await store.care.examine()).toEqual([]);
    await store.care.repairIndexes();
    expect(schemaVersion()).toBe(version);
  });

  it('is compared by a connection that only reads, and keeps its settings and no tables', async () => {
    await ingest(subject(), document('a', ['copper']));
    const db = new Database(databaseOf(subject()), { readonly: true });
    expect(isFullTextInStep(db)).toBe(true);
    expect(isFullTextInStep(db)).toBe(true);
    expectUntouched(db);
    db.close();
  });

  it('is left in one part by a rebuild', async () => {
    for (const file of ['a', 'b', 'c']) await ingest(subject(), document(file, ['copper']));
    expect(partsIn(subject())).toBe(3);
    await subject().store.keywords.rebuild();
    expect(partsIn(subject())).toBe(1);
    verifyDatabase(databaseOf(subject()));
  });

  it('is merged in few steps, between which others add what they have', async () => {
    const { store } = subject();
    for (const file of ['a', 'b', 'c']) await ingest(subject(), document(file, ['copper']));
    let isDone = false;
    const rebuilt = store.keywords.rebuild().finally(() => {
      isDone = true;
    });
    for (let file = 0; !isDone; file += 1) {
      await ingest(subject(), document(`d${file}`, ['basalt']));
      await setTimeout(1);
    }
    await rebuilt;
    expect(partsIn(subject())).toBeLessThan(20);
    verifyDatabase(databaseOf(subject()));
  });

  it('is as good where the store is closed before all its parts are merged', async () => {
    const { store, harness } = subject();
    for (const file of ['a', 'b', 'c']) await ingest(subject(), document(file, ['copper']));
    const rebuilt = store.keywords.rebuild();
    await vi.waitFor(() => expect(partsIn(subject())).toBe(1), { interval: 1 });
    await harness.stores.close();
    await rebuilt;
    verifyDatabase(databaseOf(subject()));
  });

  it('gives the same relevance however often it is rebuilt', async () => {
    const { store } = subject();
    const texts = Array.from({ length: 30 }, (_, number) => `登录用户 文件${number}`);
    await ingest(subject(), document('a', [...texts, '支付 copper', 'zinc 文件']));
    const scores = async () =>
      (await store.keywords.search(expressionOf('文件'), { sourceTypes: 'all' }, 50)).map(
        ({ score }) => score,
      );
    const before = await scores();
    for (let time = 0; time < 4; time += 1) await store.keywords.rebuild();
    expect(before).toHaveLength(31);
    expect(await scores()).toEqual(before);
  });

  it('loses rows that no chunk has from the index of Chinese, Japanese and Korean', async () => {
    await ingest(subject(), document('a', ['用户认证']));
    const stray = "INSERT INTO store_cjk(rowid, content, heading) VALUES (99, '认证', '')";
    execute(databaseOf(subject()), stray);
    await subject().store.keywords.rebuild();
    const rows = withDatabase(databaseOf(subject()), (db) =>
      db.prepare('SELECT rowid FROM store_cjk').pluck().all(),
    );
    expect(rows).toEqual([1]);
    expect(await found(subject(), '认证')).toEqual(['a#0']);
  });
});

describe('A full-text index that cannot be compared, in SQLite', () => {
  it.each(['data', 'idx', 'docsize', 'config'])(
    'does not match where %s has another column, and is made again',
    async (table) => {
      await ingest(subject(), document('a', ['copper']));
      withDatabase(databaseOf(subject()), (db) =>
        db.unsafeMode().exec(`ALTER TABLE chunks_fts_${table} ADD COLUMN more`),
      );
      const { care, keywords } = subject().store;
      expect(await care.examine()).toMatchObject([{ problem: expect.stringMatching(/full-text/) }]);
      await keywords.rebuild();
      expect(await care.examine()).toEqual([]);
      expect(await found(subject(), 'copper')).toEqual(['a#0']);
      verifyDatabase(databaseOf(subject()));
    },
  );

  it('is told to be damaged, and left, where one of its pages became so while it was open', async () => {
    const texts = Array.from({ length: 300 }, (_, number) => `copper ${number}`);
    await ingest(subject(), document('a', texts));
    const file = databaseOf(subject());
    const root = rootInFile(file, 'chunks_fts_data');
    overwrite(file, (root - 1) * 4096, 0x33);
    execute(file, "INSERT INTO store_state VALUES ('x', 'y')"); // so that the page is read again
    expect(await subject().store.care.examine()).toMatchObject([{ state: 'damaged' }]);
    expect(readdirSync(dirname(file)).filter((name) => name.includes('corrupt'))).toEqual([]);
  });

  it('is compared by a connection that is opened again where another program changes the encoding', async () => {
    const { store } = subject();
    await ingest(subject(), document('a', ['copper']));
    expect(await store.care.examine()).toEqual([]);
    const file = databaseOf(subject());
    withDatabase(file, (db) => {
      db.pragma(`schema_version = ${Number(db.pragma('schema_version', { simple: true })) + 1}`);
      db.pragma('wal_checkpoint(TRUNCATE)');
      overwrite(file, PLACE_OF_ENCODING, UTF_16);
      db.exec("INSERT INTO store_state VALUES ('x', 'y')");
    });
    await expect(store.chunks.stats()).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('does not match where a page of it is damaged, and the connection is left as it was', async () => {
    await ingest(subject(), document('a', ['copper']));
    const file = databaseOf(subject());
    const root = rootInFile(file, 'chunks_fts_docsize');
    const image = readFileSync(file).fill(1, 18, 20);
    image[(root - 1) * 4096] = 0x33;
    const copy = join(subject().harness.projectPath, 'copy.db');
    writeFileSync(copy, image);
    const db = new Database(copy, { readonly: true });
    expect(isFullTextInStep(db)).toBe(false);
    expectUntouched(db);
    db.close();
  });
});

/** In the header of a database (sqlite.org/fileformat.html). */
const PLACE_OF_ENCODING = 59;
const UTF_16 = 2;

function expectUntouched(db: Database): void {
  expect(db.inTransaction).toBe(false);
  expect(db.prepare('SELECT name FROM sqlite_temp_master').all()).toEqual([]);
  expect(() => db.exec('DELETE FROM chunks')).toThrow(/readonly/);
  expect(() => db.exec('DELETE FROM chunks_fts_data')).toThrow(/may not be modified/);
}

/** Of a table, once all that was written is in the file. */
function rootInFile(file: string, table: string): number {
  return withDatabase(file, (db) => {
    db.pragma('wal_checkpoint(TRUNCATE)');
    const root = db.prepare<[string], number>('SELECT rootpage FROM sqlite_master WHERE name = ?');
    return root.pluck().get(table) ?? 0;
  });
}

function overwrite(file: string, place: number, byte: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.of(byte), 0, 1, place);
  closeSync(descriptor);
}

function partsIn(of: Subject): unknown {
  const parts = 'SELECT count(DISTINCT segid) FROM chunks_fts_idx';
  return withDatabase(databaseOf(of), (db) => db.prepare(parts).pluck().get());
}

function schemaVersion(): unknown {
  return withDatabase(databaseOf(subject()), (db) => db.pragma('schema_version', { simple: true }));
}

function databaseOf({ harness }: Subject): string {
  return join(harness.projectPath, '.knowledge', 'knowledge.db');
}
