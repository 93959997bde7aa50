import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/adapters/sqlite/database/driver.js';
import { findSideWords } from '../../../src/domain/query/side-words.js';
import { type Subject, useSubject } from '../../contract/harness/contract-suite.js';
import { expressionOf, found, ingest } from '../../contract/harness/steps.js';
import { outsideOf } from '../../contract/harness/store-harness.js';
import { chunk, document } from '../../support/chunks.js';
import { withDatabase } from '../../support/database-inspection.js';
import { pruneAll } from '../../support/unretrieved.js';
import { sqliteHarness } from './project-stores-harness.js';

const subject = useSubject(sqliteHarness);
const ALL = { sourceTypes: 'all' } as const;
const CREATED = '2026-01-01T00:00:00.000Z';

describe('The index of side words, in SQLite', () => {
  it('contains the chunks that have some, as sources change, move within their file, or go', async () => {
    await ingest(subject(), document('a', ['用户认证', 'plain words', 'verify 認証']));
    expect(indexedRows()).toEqual([1, 3]);
    await ingest(subject(), document('b', ['缓存']));
    await ingest(subject(), document('a', ['verify 認証', '支付接口', '用户认证', '日志']));
    expectInStep();
    await ingest(subject(), document('a', ['支付接口']));
    await subject().store.chunks.replaceSources([{ sourceFile: 'b', document: undefined }]);
    expectInStep();
    expect(indexedRows()).toHaveLength(1);
  });

  it('is updated by pruning', async () => {
    const { store, harness } = subject();
    await ingest(subject(), document('a', ['用户认证', '数据库']));
    await store.chunks.record(['a#1'], harness.clock.now());
    await pruneAll(store);
    expectInStep();
    expect(await found(subject(), '认证')).toEqual([]);
    expect(await found(subject(), '数据')).toEqual(['a#1']);
  });

  it('is written in the same transaction as the chunks', async () => {
    await ingest(subject(), document('a', ['用户认证']));
    const broken = document('a', ['数据库', '支付接口']);
    const [first, second] = broken.chunks;
    const chunks = [first, { ...second, content: null }] as never;
    const change = { sourceFile: 'a', document: { ...broken, chunks } };
    const written = subject().store.chunks.replaceSources([change]);
    await expect(written).rejects.toThrow();
    expectInStep();
    expect(await found(subject(), '认证')).toEqual(['a#0']);
    expect(await found(subject(), '数据')).toEqual([]);
  });

  it('is created again by a rebuild', async () => {
    await ingest(subject(), document('a', ['用户认证', '数据库']));
    write("INSERT INTO side_words(side_words) VALUES ('delete-all')");
    expect(await found(subject(), '认证')).toEqual([]);
    await subject().store.upkeep.maintain('rebuild');
    expect(await found(subject(), '认证')).toEqual(['a#0']);
    expectInStep();
  });
});

describe('Chunks of another program, in Chinese, Japanese or Korean', () => {
  const plant = async (contents: readonly string[], file = 'foreign', updatedAt = CREATED) => {
    for (const [i, content] of contents.entries()) {
      const planted = chunk(file, i, { content, updatedAt });
      await outsideOf(subject().harness).plantForeignChunk(planted);
    }
  };

  it('are found when they came while the store was closed', async () => {
    await ingest(subject(), document('a', ['用户认证']));
    await plant(['认证失败']);
    expect((await found(await reopened(), '认证')).toSorted()).toEqual(['a#0', 'foreign#0']);
  });

  it('are merged before the service writes', async () => {
    await plant(['认证失败']);
    await ingest(subject(), document('a', ['用户认证']));
    expectInStep();
    expect((await found(subject(), '认证')).toSorted()).toEqual(['a#0', 'foreign#0']);
  });

  it('are no longer found when they are deleted, even if other chunks reuse their rows', async () => {
    await ingest(subject(), document('a', ['用户认证']));
    await plant(['认证失败', '认证失败']);
    expect(await found(subject(), '失败')).toHaveLength(2);
    write("DELETE FROM chunks WHERE source_file = 'foreign'");
    expect(await found(subject(), '失败')).toEqual([]);
    await ingest(subject(), document('b', ['数据库']));
    expectInStep();
  });

  it('take no place among the results if their deletion was not noticed', async () => {
    await plant(['认证']);
    await ingest(subject(), document('a', ['用户认证', '数据库', '缓存', '日志']));
    write("DELETE FROM chunks WHERE source_file = 'foreign'");
    const hits = await subject().store.keywords.search({
      expression: expressionOf('认证'),
      filter: ALL,
      limit: 1,
    });
    expect(hits.map((hit) => hit.chunk.id)).toEqual(['a#0']);
  });

  it.each(['2026-01-01 00:00:00', '2099-01-01T00:00:00.000Z'])(
    'are found by their new text when their program writes all of them again, at %s',
    async (updatedAt) => {
      await ingest(subject(), document('a', ['用户认证']));
      const texts = ['支付接口', '数据库', '缓存'];
      await plant(texts, 'early', updatedAt);
      expect(await found(subject(), '支付')).toEqual(['early#0']);
      write("DELETE FROM chunks WHERE source_file = 'early'");
      await plant(texts.toReversed(), 'late', updatedAt);
      expect(await found(subject(), '支付')).toEqual(['late#2']);
      expectInStep();
    },
  );

  it('are found by a new text that came with its time', async () => {
    await ingest(subject(), document('a', ['用户认证']));
    await plant(['认证失败']);
    expect(await found(subject(), '失败')).toEqual(['foreign#0']);
    const values = "content = '支付接口', updated_at = '2030-01-01T00:00:00.000Z'";
    write(`UPDATE chunks SET ${values} WHERE id = 'foreign#0'`);
    expect(await found(subject(), '支付')).toEqual(['foreign#0']);
    expect(await found(subject(), '失败')).toEqual([]);
    expectInStep();
  });

  it('are brought in by many, and once', async () => {
    write(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, content,
        created_at, updated_at)
      SELECT 'f#' || i, 'manual', 'f', '/', i, iif(i % 2, '认证失败', 'plain'), '', '' FROM n`);
    const { harness, store } = subject();
    const other = await harness.otherProcess().open(harness.projectPath);
    const searches = [store, other].map(({ keywords }) =>
      keywords.search({ expression: expressionOf('认证'), filter: ALL, limit: 1000 }),
    );
    for (const hits of await Promise.all(searches)) expect(hits).toHaveLength(500);
    expectInStep();
  });
});

describe('Thousands of chunks of another program', () => {
  it('are brought in part by part, between which the event loop and other writes have their turn', async () => {
    write(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, content,
        created_at, updated_at)
      SELECT 'f#' || i, 'manual', 'f', '/', i, '认证失败', '', '' FROM n`);
    const left = () =>
      inFile((db) => db.prepare('SELECT count(*) FROM side_words_changes').pluck().get());
    const waiting = new Set<unknown>();
    const searched = found(subject(), '认证');
    const written = ingest(subject(), document('a', ['用户认证']));
    while (left() !== 0) {
      await setImmediate();
      waiting.add(left());
    }
    await Promise.all([searched, written]);
    expect(waiting.size).toBeGreaterThan(5);
    expectInStep();
  });
});

async function reopened(): Promise<Subject> {
  const { harness } = subject();
  const stores = await harness.restart();
  return { harness, store: await stores.open(harness.projectPath) };
}

function inFile<T>(work: (db: Database) => T): T {
  return withDatabase(`${subject().harness.projectPath}/.knowledge/knowledge.db`, work);
}

/** As another program does. */
function write(sql: string): void {
  inFile((db) => db.exec(sql));
}

function indexedRows(): readonly unknown[] {
  return inFile((db) => db.prepare('SELECT rowid FROM side_words ORDER BY 1').pluck().all());
}

/** Every token is at the same position as in a new index of the current chunks. */
function expectInStep(): void {
  inFile((db) => {
    db.exec("INSERT INTO side_words(side_words) VALUES ('integrity-check')");
    const chunks = db
      .prepare<[], { rowid: number; heading: string | null; content: string }>(
        'SELECT rowid, heading, content FROM chunks',
      )
      .all();
    db.exec(`CREATE VIRTUAL TABLE temp.fresh USING fts5(content, heading, extra,
        tokenize="porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'");
      CREATE VIRTUAL TABLE temp.kept_tokens USING fts5vocab(main, side_words, instance);
      CREATE VIRTUAL TABLE temp.fresh_tokens USING fts5vocab(temp, fresh, instance)`);
    const insert = db.prepare(
      'INSERT INTO fresh (rowid, content, heading, extra) VALUES (?, ?, ?, ?)',
    );
    for (const { rowid, heading, content } of chunks) {
      const side = findSideWords({ heading, content });
      if (side !== undefined) insert.run(rowid, side.content, side.heading, side.extra);
    }
    const tokensOf = (table: string) =>
      db.prepare(`SELECT term, doc, col, "offset" FROM ${table} ORDER BY 1, 2, 3, 4`).all();
    expect(tokensOf('kept_tokens')).toEqual(tokensOf('fresh_tokens'));
  });
}
