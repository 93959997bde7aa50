import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Subject, useSubject } from '../../../src/testing/harness/contract-suite.js';
import { found, ingest } from '../../../src/testing/harness/steps.js';
import { document } from '../../support/chunks.js';
import { execute, verifyDatabase, withDatabase } from '../../support/database-inspection.js';
import { sqliteHarness } from './project-stores-harness.js';

describe('A full-text index that was suspended, in SQLite', () => {
  const subject = useSubject(sqliteHarness);

  it('is built by the next opening if the process ended before it was done', async () => {
    expect(await subject().store.keywords.suspend()).toBe(true);
    await ingest(subject(), document('a', ['copper', 'basalt 用户']));
    await ingest(subject(), document('a', ['basalt 用户']));
    expect(await found(subject(), 'basalt')).toEqual([]);
    const stores = await subject().harness.restart();
    const store = await stores.open(subject().harness.projectPath);
    expect(await found({ ...subject(), store }, 'basalt')).toEqual(['a#0']);
    expect(await found({ ...subject(), store }, 'copper')).toEqual([]);
    verifyDatabase(databaseOf(subject()));
  });

  it('is the same if another process opens the database, or writes, meanwhile', async () => {
    const { harness, store } = subject();
    await store.keywords.suspend();
    await ingest(subject(), document('a', ['copper', 'basalt']));
    execute(databaseOf(subject()), "UPDATE chunks SET content = 'walnut' WHERE id = 'a#0'");
    await harness.otherProcess().open(harness.projectPath);
    await ingest(subject(), document('b', ['copper']));
    await store.keywords.rebuild();
    expect(await found(subject(), 'copper')).toEqual(['b#0']);
    expect(await found(subject(), 'walnut')).toEqual(['a#0']);
    verifyDatabase(databaseOf(subject()));
  });

  it('keeps the words inside runs of letters that were indexed meanwhile, and adds those of others', async () => {
    const { store } = subject();
    await store.keywords.suspend();
    await ingest(subject(), document('a', ['登录用户', 'basalt']));
    execute(databaseOf(subject()), "UPDATE chunks SET rowid = rowid + 10 WHERE id = 'a#0'");
    await store.keywords.rebuild();
    expect(await found(subject(), '用户')).toEqual(['a#0']);
    expect(await found(subject(), 'basalt')).toEqual(['a#1']);
    verifyDatabase(databaseOf(subject()));
  });

  it.each([
    ['a page of it is gone', 'DELETE FROM chunks_fts_data WHERE id > 10'],
    ['its structure is gone', 'DELETE FROM chunks_fts_data WHERE id = 10'],
    ['a byte of it differs', 'UPDATE chunks_fts_docsize SET sz = zeroblob(length(sz))'],
    ['it was emptied', "INSERT INTO chunks_fts(chunks_fts) VALUES ('delete-all')"],
    ['rows were renumbered', 'UPDATE chunks SET rowid = rowid + 10; VACUUM'],
  ])('is right after the next rebuild if %s', async (_, damage) => {
    await subject().store.keywords.suspend();
    await ingest(subject(), document('a', ['copper', 'basalt']));
    await subject().store.keywords.rebuild();
    withDatabase(databaseOf(subject()), (db) => db.unsafeMode().exec(damage));
    await subject().store.keywords.rebuild();
    expect(await found(subject(), 'copper')).toEqual(['a#0']);
    verifyDatabase(databaseOf(subject()));
  });
});

function databaseOf({ harness }: Subject): string {
  return join(harness.projectPath, '.knowledge', 'knowledge.db');
}
