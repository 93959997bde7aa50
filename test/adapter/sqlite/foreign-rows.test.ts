import { existsSync, readdirSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { EMBEDDED_MAX_CHARACTERS } from '../../../src/domain/limits.js';
import { type Subject, useSubject } from '../../../src/testing/harness/contract-suite.js';
import { found, ingest } from '../../../src/testing/harness/steps.js';
import { outsideOf } from '../../../src/testing/harness/store-harness.js';
import { chunk, document, vector } from '../../support/chunks.js';
import { sqliteHarness } from './project-stores-harness.js';

describe('A row that another program wrote into SQLite', () => {
  const subject = useSubject(sqliteHarness);

  it.each(["CAST('copper pipes' AS BLOB)", "'copper pipes'"])(
    'is read as text where its content is %s',
    async (sql) => {
      await outsideOf(subject().harness).plantForeignChunk(chunk('foreign', 0));
      write(
        subject(),
        `UPDATE chunks SET content = ${sql}, heading = 7, tags = CAST('["x"]' AS BLOB)`,
      );
      const { chunks, vectors } = subject().store;
      const [stored] = await chunks.getChunks(['foreign#0']);
      expect(stored).toMatchObject({ heading: '7', content: 'copper pipes', tags: ['x'] });
      expect(await vectors.pending(10)).toEqual([
        { chunkId: 'foreign#0', texts: ['7\ncopper pipes'] },
      ]);
    },
  );

  it('is read as text where its content is a number', async () => {
    await outsideOf(subject().harness).plantForeignChunk(chunk('foreign', 0));
    write(subject(), "UPDATE chunks SET content = CAST('1234' AS BLOB)");
    const [stored] = await subject().store.chunks.getChunks(['foreign#0']);
    expect(stored?.content).toBe('1234');
  });

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
    expect(await texts.content.newest(10, 0)).toEqual([pending]);
    expect(await texts.questions.newest(10, 0)).toEqual([]);
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
      const lists = [await chunks.indexedSources(), await chunks.sources()].flat();
      const values = lists.flatMap((source) => [source.sourceFile, source.sourceType]);
      const hashes = (await chunks.indexedSources()).map(({ contentHash }) => contentHash);
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
    const { harness, store } = subject();
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
    expect((await texts.content.newest(10, 0)).map(({ chunkId }) => chunkId)).toEqual(['a#0']);
    expect(await texts.questions.newest(10, 0)).toEqual([]);
    expect(await found(reopened, 'copper')).toEqual(['a#0']);
    const stale = await retrievals.findUnusedSince(new Date('2100-01-01'));
    expect(stale.map(({ id }) => id)).toEqual(['a#0']);
    expect(store).not.toBe(reopened.store);
  });
});

describe('What another program broke in store_leases', () => {
  const subject = useSubject(sqliteHarness);

  it.each(['9999-12-31T00:00:00.000Z', 'never'])(
    'is not believed: a lease until %s',
    async (until) => {
      write(subject(), `INSERT INTO store_leases VALUES ('vectors', 'elsewhere 1 x', '${until}')`);
      expect(await subject().store.leases.acquire('vectors', 300_000)).toBe(true);
    },
  );
});

describe('A full-text index that another program emptied', () => {
  const subject = useSubject(sqliteHarness);

  it('finds everything again after a rebuild', async () => {
    await ingest(subject(), document('a', ['copper']));
    write(subject(), "INSERT INTO chunks_fts(chunks_fts) VALUES ('delete-all')");
    expect(await found(subject(), 'copper')).toEqual([]);
    await subject().store.keywords.rebuild();
    expect(await found(subject(), 'copper')).toEqual(['a#0']);
  });
});

describe('Looking for a store in SQLite', () => {
  const subject = useSubject(sqliteHarness);

  it('makes no file and no folder', async () => {
    const { stores, otherProjectPath } = subject().harness;
    expect(await stores.find(otherProjectPath)).toBeUndefined();
    expect(readdirSync(otherProjectPath)).toEqual([]);
    expect(stores.locationOf(otherProjectPath)).toBe(`${otherProjectPath}/.knowledge/knowledge.db`);
    expect(existsSync(stores.locationOf(otherProjectPath))).toBe(false);
    expect(existsSync(stores.locationOf(subject().harness.projectPath))).toBe(true);
  });
});

describe('A source of very many paragraphs in SQLite', () => {
  const subject = useSubject(sqliteHarness);

  it('is written and moved in time that grows with their number', async () => {
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
  const { harness } = subject;
  const stores = await harness.restart();
  inFile(subject, (db) => {
    db.pragma('writable_schema = ON');
    db.exec(`UPDATE sqlite_master SET sql = replace(sql, 'id TEXT PRIMARY KEY NOT NULL,', 'id TEXT PRIMARY KEY,')
      WHERE name = 'chunks'`);
  });
  return stores;
}

function inFile<T>({ harness }: Subject, work: (db: Database.Database) => T): T {
  const db = new Database(harness.stores.locationOf(harness.projectPath));
  try {
    db.unsafeMode(true);
    return work(db);
  } finally {
    db.close();
  }
}

/** As another program does. */
function write(subject: Subject, sql: string): void {
  inFile(subject, (db) => db.exec(sql));
}
