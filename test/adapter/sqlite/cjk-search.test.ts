import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { FULL_TEXT_INDEX } from '../../../src/adapters/sqlite/schema/schema.js';
import { KeywordRetriever } from '../../../src/app/search/keyword-retriever.js';
import { bigramText, containsCjk } from '../../../src/domain/query/bigrams.js';
import { readQuery } from '../../../src/domain/query/query.js';
import { DEFAULT_SETTINGS } from '../../../src/domain/settings.js';
import { type Subject, useSubject } from '../../../src/testing/harness/contract-suite.js';
import { expressionOf, found, ingest } from '../../../src/testing/harness/steps.js';
import { outsideOf } from '../../../src/testing/harness/store-harness.js';
import { chunk, document } from '../../support/chunks.js';
import { SENTENCES } from '../../support/cjk-sentences.js';
import { sqliteHarness } from './project-stores-harness.js';

describe('The index of Chinese, Japanese and Korean, in SQLite', () => {
  const subject = useSubject(sqliteHarness);

  it('contains the chunks that have such letters, and no others', async () => {
    await ingest(subject(), document('a', ['用户认证', 'plain words', 'verify 認証']));
    expect(await indexedRows(subject())).toEqual([1, 3]);
    await expectInStep(subject());
  });

  it('leaves the full-text index and the triggers of the specification as they are', async () => {
    await ingest(subject(), document('a', ['用户认证']));
    const triggers = inFile(subject(), (db) =>
      db
        .prepare(
          "SELECT name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%chunks_fts%' ORDER BY name",
        )
        .pluck()
        .all(),
    );
    expect(triggers).toEqual(['chunks_ad', 'chunks_ai', 'chunks_au']);
    const sql = inFile(subject(), (db) =>
      db.prepare("SELECT sql FROM sqlite_master WHERE name = 'chunks_fts'").pluck().get(),
    );
    expect(sql).toBe(FULL_TEXT_INDEX);
  });

  it('follows sources that change, move within their file, or go', async () => {
    await ingest(subject(), document('a', ['用户认证', '数据库迁移', 'plain']));
    await ingest(subject(), document('b', ['缓存']));
    await ingest(subject(), document('a', ['数据库迁移', '支付接口', '用户认证', '日志']));
    await expectInStep(subject());
    await ingest(subject(), document('a', ['支付接口']));
    await subject().store.chunks.replaceSource('b', async () => undefined);
    await expectInStep(subject());
    expect(await indexedRows(subject())).toHaveLength(1);
  });

  it('follows the pruning', async () => {
    const { store, harness } = subject();
    await ingest(subject(), document('a', ['用户认证', '数据库']));
    await store.retrievals.record(['a#1'], harness.clock.now());
    await store.retrievals.deleteUnusedSince(harness.clock.now(), 100);
    await expectInStep(subject());
    expect(await found(subject(), '认证')).toEqual([]);
    expect(await found(subject(), '数据')).toEqual(['a#1']);
  });

  it('is written in the same transaction as the chunks', async () => {
    const { store } = subject();
    await ingest(subject(), document('a', ['用户认证']));
    const broken = document('a', ['数据库', '支付接口']);
    const unwritable = { ...broken.chunks[1], content: null } as never;
    await expect(
      store.chunks.replaceSource('a', async () => ({
        ...broken,
        chunks: [...broken.chunks.slice(0, 1), unwritable],
      })),
    ).rejects.toThrow();
    await expectInStep(subject());
    expect(await found(subject(), '认证')).toEqual(['a#0']);
    expect(await found(subject(), '数据')).toEqual([]);
  });

  it('is created again by a rebuild', async () => {
    await ingest(subject(), document('a', ['用户认证', '数据库']));
    write(subject(), "INSERT INTO store_cjk(store_cjk) VALUES ('delete-all')");
    expect(await found(subject(), '认证')).toEqual([]);
    await subject().store.keywords.rebuild();
    expect(await found(subject(), '认证')).toEqual(['a#0']);
    await expectInStep(subject());
  });

  it('is created again with the other index if a trigger is missing', async () => {
    const { harness } = subject();
    await ingest(subject(), document('a', ['用户认证']));
    write(subject(), "DROP TRIGGER chunks_au; UPDATE chunks SET content = '支付接口'");
    const stores = await harness.restart();
    const reopened = { harness, store: await stores.open(harness.projectPath) };
    expect(await found(reopened, '支付')).toEqual(['a#0']);
    await expectInStep(reopened);
  });
});

describe('Chunks of another program, in Chinese, Japanese or Korean', () => {
  const subject = useSubject(sqliteHarness);

  it('are found when they came while the store was open', async () => {
    await ingest(subject(), document('a', ['用户认证']));
    await outsideOf(subject().harness).plantForeignChunk(
      chunk('foreign', 0, { content: '认证失败' }),
    );
    expect((await found(subject(), '认证')).toSorted()).toEqual(['a#0', 'foreign#0']);
    await expectInStep(subject());
  });

  it('are found when they came while the store was closed', async () => {
    const { harness } = subject();
    await ingest(subject(), document('a', ['用户认证']));
    await outsideOf(harness).plantForeignChunk(chunk('foreign', 0, { content: '认证失败' }));
    const stores = await harness.restart();
    const reopened = { harness, store: await stores.open(harness.projectPath) };
    expect((await found(reopened, '认证')).toSorted()).toEqual(['a#0', 'foreign#0']);
  });

  it('are brought in before the service writes behind them', async () => {
    await outsideOf(subject().harness).plantForeignChunk(
      chunk('foreign', 0, { content: '认证失败' }),
    );
    await ingest(subject(), document('a', ['用户认证']));
    await expectInStep(subject());
    expect((await found(subject(), '认证')).toSorted()).toEqual(['a#0', 'foreign#0']);
  });

  it('are no longer found when they are deleted, even if other chunks reuse their rows', async () => {
    await ingest(subject(), document('a', ['用户认证']));
    for (const i of [0, 1]) {
      await outsideOf(subject().harness).plantForeignChunk(
        chunk('foreign', i, { content: '认证失败' }),
      );
    }
    expect(await found(subject(), '失败')).toHaveLength(2);
    write(subject(), "DELETE FROM chunks WHERE source_file = 'foreign'");
    expect(await found(subject(), '失败')).toEqual([]);
    await ingest(subject(), document('b', ['数据库']));
    await expectInStep(subject());
  });

  it('take no place among the results if their deletion was not noticed', async () => {
    const { harness, store } = subject();
    await outsideOf(harness).plantForeignChunk(chunk('foreign', 0, { content: '认证' }));
    await ingest(subject(), document('a', ['用户认证', '数据库', '缓存', '日志']));
    write(subject(), "DELETE FROM chunks WHERE source_file = 'foreign'");
    const hits = await store.keywords.search(expressionOf('认证'), { sourceTypes: 'all' }, 1);
    expect(hits.map((hit) => hit.chunk.id)).toEqual(['a#0']);
  });

  it.each(['2026-01-01 00:00:00', '2099-01-01T00:00:00.000Z'])(
    'are found by their new text when their program writes all of them again, at %s',
    async (updatedAt) => {
      await ingest(subject(), document('a', ['用户认证']));
      const texts = ['支付接口', '数据库', '缓存'];
      const plant = async (contents: readonly string[], time: string) => {
        for (const [i, content] of contents.entries()) {
          await outsideOf(subject().harness).plantForeignChunk(
            chunk(time, i, { content, updatedAt }),
          );
        }
      };
      await plant(texts, 'early');
      expect(await found(subject(), '支付')).toEqual(['early#0']);
      write(subject(), "DELETE FROM chunks WHERE source_file = 'early'");
      await plant(texts.toReversed(), 'late');
      expect(await found(subject(), '支付')).toEqual(['late#2']);
      await expectInStep(subject());
    },
  );

  it('are found by a new text that came with its time', async () => {
    await ingest(subject(), document('a', ['用户认证']));
    await outsideOf(subject().harness).plantForeignChunk(
      chunk('foreign', 0, { content: '认证失败' }),
    );
    expect(await found(subject(), '失败')).toEqual(['foreign#0']);
    const values = "content = '支付接口', updated_at = '2030-01-01T00:00:00.000Z'";
    write(subject(), `UPDATE chunks SET ${values} WHERE id = 'foreign#0'`);
    expect(await found(subject(), '支付')).toEqual(['foreign#0']);
    expect(await found(subject(), '失败')).toEqual([]);
    await expectInStep(subject());
  });

  it('may hold anything that SQLite stores', async () => {
    await outsideOf(subject().harness).plantForeignChunk(chunk('foreign', 0));
    write(subject(), "UPDATE chunks SET heading = 1, content = CAST('认证失败' AS BLOB)");
    await ingest(subject(), document('a', ['用户认证']));
    expect(await found(subject(), '用户')).toEqual(['a#0']);
  });

  it('are brought in by many, and once', async () => {
    inFile(subject(), (db) =>
      db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, content,
          created_at, updated_at)
        SELECT 'f#' || i, 'manual', 'f', '/', i, iif(i % 2, '认证失败', 'plain'), '', '' FROM n`),
    );
    const { store } = subject();
    const other = subject().harness.otherProcess();
    const [hits] = await Promise.all([
      store.keywords.search(expressionOf('认证'), { sourceTypes: 'all' }, 1000),
      other
        .open(subject().harness.projectPath)
        .then((opened) =>
          opened.keywords.search(expressionOf('认证'), { sourceTypes: 'all' }, 1000),
        ),
    ]);
    expect(hits).toHaveLength(500);
    await expectInStep(subject());
  });
});

describe('KeywordRetriever on Chinese, Japanese and Korean', () => {
  const subject = useSubject(sqliteHarness);

  it.each(Object.keys(SENTENCES) as (keyof typeof SENTENCES)[])(
    'finds sentences of %s by words inside them',
    async (language) => {
      expect(await recallOf(subject(), language)).toBeGreaterThanOrEqual(0.95);
    },
  );
});

/** Recall at 3 of the sentences of one language among those of all. */
async function recallOf(subject: Subject, language: keyof typeof SENTENCES) {
  for (const [file, sentences] of Object.entries(SENTENCES)) {
    await ingest(
      subject,
      document(
        file,
        sentences.map(({ text }) => text),
      ),
    );
  }
  const asked = SENTENCES[language].flatMap(({ queries }, place) =>
    queries.map((query) => ({ query, id: `${language}#${place}` })),
  );
  const retriever = KeywordRetriever.forCandidates();
  let count = 0;
  for (const { query, id } of asked) {
    const { ids } = await retrieve(subject, retriever, query);
    if (ids.slice(0, 3).includes(id)) count += 1;
  }
  return count / asked.length;
}

async function retrieve({ harness, store }: Subject, retriever: KeywordRetriever, text: string) {
  const { ranked, counts } = await retriever.retrieve(
    { path: harness.projectPath, store },
    {
      query: readQuery(text),
      text,
      filter: { sourceTypes: 'all' },
      maxResults: 20,
      maxTokens: 8000,
      fusion: 'rrf',
      candidates: 'keyword',
      settings: DEFAULT_SETTINGS,
    },
  );
  return { ids: ranked.map((hit) => hit.chunk.id), counts };
}

function inFile<T>({ harness }: Subject, work: (db: Database.Database) => T): T {
  const db = new Database(`${harness.projectPath}/.knowledge/knowledge.db`);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** As another program does. */
function write(subject: Subject, sql: string): void {
  inFile(subject, (db) => db.exec(sql));
}

async function indexedRows(subject: Subject): Promise<readonly unknown[]> {
  return inFile(subject, (db) =>
    db.prepare('SELECT rowid FROM store_cjk ORDER BY 1').pluck().all(),
  );
}

/** Every token is at the same position as in a new index of the current chunks. */
async function expectInStep(subject: Subject): Promise<void> {
  inFile(subject, (db) => {
    db.exec("INSERT INTO store_cjk(store_cjk) VALUES ('integrity-check')");
    const chunks = db
      .prepare<[], { rowid: number; heading: string | null; content: string }>(
        'SELECT rowid, heading, content FROM chunks',
      )
      .all();
    db.exec(`CREATE VIRTUAL TABLE temp.fresh USING fts5(heading, content, tokenize='porter unicode61');
      CREATE VIRTUAL TABLE temp.kept_tokens USING fts5vocab(main, store_cjk, instance);
      CREATE VIRTUAL TABLE temp.fresh_tokens USING fts5vocab(temp, fresh, instance)`);
    const insert = db.prepare('INSERT INTO fresh (rowid, heading, content) VALUES (?, ?, ?)');
    for (const { rowid, heading, content } of chunks) {
      if (!containsCjk(content) && !containsCjk(heading ?? '')) continue;
      insert.run(rowid, bigramText(heading ?? ''), bigramText(content));
    }
    const tokensOf = (table: string) =>
      db.prepare(`SELECT term, doc, col, "offset" FROM ${table} ORDER BY 1, 2, 3, 4`).all();
    expect(tokensOf('kept_tokens')).toEqual(tokensOf('fresh_tokens'));
  });
}
