import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Database } from '../../../src/adapters/sqlite/database/driver.js';
import { isFullTextInStep } from '../../../src/adapters/sqlite/keyword/full-text-check.js';
import { type Subject, useSubject } from '../../../src/testing/harness/contract-suite.js';
import { found, ingest } from '../../../src/testing/harness/steps.js';
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

  it('is compared by a connection that only reads, and keeps its settings and no tables', async () => {
    await ingest(subject(), document('a', ['copper']));
    const db = new Database(databaseOf(subject()));
    db.pragma('query_only = ON');
    expect(isFullTextInStep(db)).toBe(true);
    expect(isFullTextInStep(db)).toBe(true);
    expect(db.prepare('SELECT name FROM sqlite_temp_master').all()).toEqual([]);
    expect(() => db.exec('DELETE FROM chunks')).toThrow(/readonly/);
    db.pragma('query_only = OFF');
    expect(() => db.exec('DELETE FROM chunks_fts_data')).toThrow(/may not be modified/);
    db.close();
  });

  it('is left in one part by a rebuild, before the end of which others can write', async () => {
    const { store, harness } = subject();
    const texts = Array.from({ length: 1_100 }, (_, number) => `用户 ${number}`);
    await ingest(subject(), document('a', texts));
    await ingest(subject(), document('b', ['copper']));
    expect(partsIn(subject())).toBeGreaterThan(1);
    const order: string[] = [];
    const rebuilt = store.keywords.rebuild().finally(() => order.push('rebuilt'));
    const done = new Promise((resolve) => setImmediate(resolve))
      .then(() => store.retrievals.record(['a#0'], harness.clock.now()))
      .then(() => order.push('retrieved'));
    await Promise.all([rebuilt, done]);
    expect(order).toEqual(['retrieved', 'rebuilt']);
    expect(partsIn(subject())).toBe(1);
    verifyDatabase(databaseOf(subject()));
  });

  it('loses rows that no chunk has from the index of Chinese, Japanese and Korean', async () => {
    await ingest(subject(), document('a', ['用户认证']));
    execute(
      databaseOf(subject()),
      "INSERT INTO store_cjk(rowid, content, heading) VALUES (99, '认证', '')",
    );
    await subject().store.keywords.rebuild();
    const rows = withDatabase(databaseOf(subject()), (db) =>
      db.prepare('SELECT rowid FROM store_cjk').pluck().all(),
    );
    expect(rows).toEqual([1]);
    expect(await found(subject(), '认证')).toEqual(['a#0']);
  });
});

function partsIn(of: Subject): unknown {
  const parts = 'SELECT count(DISTINCT segid) FROM chunks_fts_idx';
  return withDatabase(databaseOf(of), (db) => db.prepare(parts).pluck().get());
}

function databaseOf({ harness }: Subject): string {
  return join(harness.projectPath, '.knowledge', 'knowledge.db');
}
