import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/adapters/sqlite/database/driver.js';
import { makeCodes } from '../../../src/adapters/sqlite/vectors/encodings.js';
import { EMBEDDED_MAX_CHARACTERS } from '../../../src/domain/limits.js';
import type { ProjectStore } from '../../../src/ports/driven/project-stores.js';
import { type Subject, useSubject } from '../../../src/testing/harness/contract-suite.js';
import { expressionOf, found, ingest } from '../../../src/testing/harness/steps.js';
import { outsideOf } from '../../../src/testing/harness/store-harness.js';
import { chunk, document, vector } from '../../support/chunks.js';
import { execute, insertChunk, SPECIFIED_SCHEMA } from '../../support/database-inspection.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import { TempProject } from '../../support/temp-project.js';
import { sqliteHarness } from './project-stores-harness.js';

describe('A row of a database that another program made without constraints', () => {
  const project = new TempProject();
  const stores = sqliteStores();
  let store: ProjectStore;
  beforeAll(async () => {
    mkdirSync(project.at('.knowledge'));
    execute(project.database, SPECIFIED_SCHEMA.replaceAll(/ NOT NULL/g, ''));
    store = await stores.open(project.path);
  });
  afterAll(async () => {
    await stores.close();
    project.remove();
  });

  it.each<readonly [column: string, value: unknown, read: object]>([
    ['importance', 'high', { importance: 0.5 }],
    ['importance', '0.9', { importance: 0.9 }],
    ['importance', null, { importance: 0.5 }],
    ['importance', Number.POSITIVE_INFINITY, { importance: 0.5 }],
    ['importance', Buffer.from([1]), { importance: 0.5 }],
    ['tags', 'no JSON', {}],
    ['tags', '{"a":1}', {}],
    ['tags', '["a",1,null]', { tags: ['a'] }],
    ['tags', Buffer.from('["x"]'), { tags: ['x'] }],
    ['tags', 7, {}],
    ['chunk_index', 'third', { chunkIndex: 0 }],
    ['chunk_index', -3, { chunkIndex: 0 }],
    ['chunk_index', 1e20, { chunkIndex: 0 }],
    ['chunk_index', 1.5, { chunkIndex: 0 }],
    ['chunk_index', null, { chunkIndex: 0 }],
    ['heading', Buffer.from('title'), { heading: 'title' }],
    ['heading', 1.5, { heading: '1.5' }],
    ['content', null, { content: '' }],
    ['content', Buffer.from('1234'), { content: '1234' }],
    ['source_type', 'diary', { sourceType: 'diary' }],
    ['source_type', null, { sourceType: '' }],
    ['source_file', null, { sourceFile: '' }],
    ['created_at', 'yesterday', { createdAt: 'yesterday' }],
    ['updated_at', null, { updatedAt: '' }],
    ['retrieval_count', 'often', {}],
  ])('is read and found though its %s is %j', async (column, value, read) => {
    execute(project.database, 'DELETE FROM chunks');
    insertChunk(project.database, { id: 'odd', heading: 'x', content: 'quokka', [column]: value });
    const words = expressionOf('quokka OR x OR title OR 5 OR 1234');
    const [hit] = await store.keywords.search(words, { sourceTypes: 'all' }, 5);
    expect(hit?.chunk).toMatchObject({ id: 'odd', content: 'quokka', ...read });
    expect(Object.hasOwn(hit?.chunk ?? {}, 'tags')).toBe('tags' in read);
    const { totalChunks, sourceTypeBreakdown } = await store.chunks.stats();
    const isKnown = column !== 'source_type';
    const counted = Object.values(sourceTypeBreakdown).reduce((a, b) => a + b, 0);
    expect([totalChunks, counted]).toEqual([1, isKnown ? 1 : 0]);
  });
});

describe('A row that another program wrote into SQLite', () => {
  const subject = useSubject(sqliteHarness);

  it('is embedded by the beginning of a very long text, and its endless questions are not', async () => {
    await outsideOf(subject().harness).plantForeignChunk(chunk('foreign', 0));
    write(
      subject(),
      `UPDATE chunks SET content = printf('%.*c', 3000000, 'x'),
         heading = printf('%.*c', 3000000, 'h'),
         hype_queries = json_array(printf('%.*c', 3000000, 'q'))`,
    );
    const { vectors, texts, chunks, questions } = subject().store;
    const [pending] = await vectors.pending(10);
    expect(pending?.texts).toEqual(['h'.repeat(EMBEDDED_MAX_CHARACTERS)]);
    expect(await texts.content.all()).toEqual([pending]);
    expect(await texts.questions.all()).toEqual([]);
    const entry = { chunkId: 'foreign#0', texts: pending?.texts ?? [], vector: vector(1) };
    expect(await vectors.put([entry])).toBe(1);
    const [stored] = await chunks.getChunks(['foreign#0']);
    expect(stored?.content).toHaveLength(3_000_000);
    write(subject(), "UPDATE chunks SET hype_queries = NULL, heading = 'short'");
    const [asked] = await questions.pending(10);
    expect(asked?.text).toHaveLength(EMBEDDED_MAX_CHARACTERS);
  });

  it.each(['source_file', 'content_hash', 'source_type'])(
    'does not break the list of sources with a %s that is no text',
    async (column) => {
      await ingest(subject(), document('a', ['copper']));
      await ingest(subject(), document('b', ['zinc']));
      write(subject(), `UPDATE store_sources SET ${column} = x'00ff' WHERE source_file = 'b'`);
      const { chunks } = subject().store;
      const indexed = await chunks.indexedSources();
      const values = [...indexed, ...(await chunks.sources())].flatMap((source) => [
        source.sourceFile,
        source.sourceType,
      ]);
      const hashes = indexed.map(({ contentHash }) => contentHash);
      expect([...values, ...hashes].filter((value) => typeof value !== 'string')).toEqual([]);
    },
  );

  it('has been retrieved 0 times where its count is too large to be added up', async () => {
    await ingest(subject(), document('a', ['copper', 'zinc']));
    write(subject(), 'UPDATE chunks SET retrieval_count = 9223372036854775807');
    expect(await subject().store.chunks.sources()).toMatchObject([{ retrievals: 0 }]);
  });

  it('is left alone where it has no id', async () => {
    await ingest(subject(), document('a', ['copper']));
    const { harness } = subject();
    const stores = await withNullableIds(subject());
    const reopened = { harness, store: await stores.open(harness.projectPath) };
    write(
      reopened,
      `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, content,
         hype_queries, created_at, updated_at)
       VALUES (NULL, 'manual', 'a', '/', 0, 'copper', '["Why?"]', '2030-01-01', '2030-01-01'),
         (NULL, 'manual', 'a', '/', 0, 'copper', NULL, '2030-01-01', '2030-01-01')`,
    );
    const { chunks, vectors, questionVectors, texts, retrievals } = reopened.store;
    expect(await chunks.indexedSources()).toMatchObject([{ sourceFile: 'a', chunkCount: 1 }]);
    expect(await vectors.pending(10)).toEqual([{ chunkId: 'a#0', texts: ['copper'] }]);
    expect(await questionVectors.pending(10)).toEqual([]);
    expect((await texts.content.all()).map(({ chunkId }) => chunkId)).toEqual(['a#0']);
    expect(await texts.questions.all()).toEqual([]);
    expect(await found(reopened, 'copper')).toEqual(['a#0']);
    const stale = await retrievals.findUnusedSince(new Date('2100-01-01'));
    expect(stale.map(({ id }) => id)).toEqual(['a#0']);
  });

  it('has a number that JavaScript cannot hold, and comes but once in what is done row by row', async () => {
    await ingest(subject(), document('a', ['copper', 'zinc 文件', 'basalt']));
    const [last, dimensions] = [2n ** 60n, 384];
    write(
      subject(),
      `UPDATE chunks SET rowid = rowid + ${last}, content = content || ' 用户认证';
       INSERT INTO store_codes(row) VALUES (${last}), (${last + 1n})`,
    );
    await found(subject(), '认证');
    const db = new Database(subject().harness.stores.locationOf(subject().harness.projectPath));
    expect(db.prepare('SELECT row FROM store_cjk_changes').all()).toEqual([]);
    expect([1, 1, 1].map((limit) => makeCodes(db, dimensions, limit))).toEqual([
      false,
      false,
      true,
    ]);
    db.close();
  });

  it('is pruned by the time of SQLite as well', async () => {
    const old = { id: 'old', content: 'copper', created_at: '2020-01-01 00:00:00' };
    insertChunk(subject().harness.stores.locationOf(subject().harness.projectPath), old);
    const { retrievals } = subject().store;
    expect(await retrievals.deleteUnusedSince(new Date('2020-01-02'), 9)).toMatchObject([
      { id: 'old' },
    ]);
  });

  it.each(['9999-12-31T00:00:00.000Z', 'never'])(
    'is not believed where it is a lease until %s',
    async (until) => {
      write(subject(), `INSERT INTO store_leases VALUES ('vectors', 'elsewhere 1 x', '${until}')`);
      expect(await subject().store.leases.acquire('vectors', 300_000)).toBe(true);
    },
  );

  it('is one of very many in time that grows with their number', async () => {
    const texts = Array.from({ length: 5000 }, () => 'a');
    const started = performance.now();
    await ingest(subject(), document('a', texts));
    await ingest(subject(), document('a', ['first', ...texts]));
    expect(performance.now() - started).toBeLessThan(10_000);
    expect((await subject().store.chunks.stats()).totalChunks).toBe(5001);
  });
});

/** The database as a program makes it whose ids may be NULL, which SQLite allows for a text key. */
async function withNullableIds(subject: Subject) {
  const stores = await subject.harness.restart();
  write(
    subject,
    `PRAGMA writable_schema = ON;
     UPDATE sqlite_master SET sql = replace(sql, 'id TEXT PRIMARY KEY NOT NULL,', 'id TEXT PRIMARY KEY,')
      WHERE name = 'chunks'`,
  );
  return stores;
}

/** As another program does. */
function write({ harness }: Subject, sql: string): void {
  const db = new Database(harness.stores.locationOf(harness.projectPath));
  db.unsafeMode(true);
  db.exec(sql);
  db.close();
}
