import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { replacing } from '../../../src/adapters/sqlite/adoption/replace-database.js';
import { fileId } from '../../../src/adapters/sqlite/database/files.js';
import { createKnowledgeStore } from '../../../src/index.js';
import type { StoreUpkeep } from '../../../src/ports/project-stores.js';
import { found } from '../../contract/harness/steps.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { document, vector } from '../../support/chunks.js';
import {
  execute,
  insertChunk,
  rowsOf,
  SPECIFIED_SCHEMA,
  scalarOf,
  verifyDatabase,
  withDatabase,
} from '../../support/database-inspection.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();
const logger = new SilentLogger();
const stores = sqliteStores({ logger });
afterAll(() => stores.close());

/** A project with a database of another program. */
function foreignProject(schema = SPECIFIED_SCHEMA): TempProject {
  const project = projects.make();
  mkdirSync(project.at('.knowledge'));
  execute(project.database, schema);
  return project;
}

async function idsFound(project: TempProject, text: string): Promise<readonly string[]> {
  return found({ store: await stores.open(project.path) }, text);
}

function asideOf(project: TempProject): string | undefined {
  return readdirSync(project.at('.knowledge')).find((name) => name.includes('.replaced-'));
}

/** Sentences about rows that did not fit. */
async function leftOut(upkeep: StoreUpkeep): Promise<readonly string[]> {
  const findings = await upkeep.maintain('examine');
  return findings.filter(({ code }) => code !== 'set_aside').map(({ sentence }) => sentence);
}

const VECTOR = Buffer.from(vector(0.6, 0.8).buffer);

describe('a database with the schema of the specification', () => {
  it('is adopted with its rows, vectors, questions, counts and dates, and kept beside', async () => {
    const project = foreignProject();
    insertChunk(project.database, {
      id: 'x',
      heading: 'Locks',
      content: 'one tapir',
      tags: '["a"]',
      created_at: '2026-01-02 03:04:05',
      last_retrieved_at: '2026-02-01T00:00:00.000Z',
      retrieval_count: 3,
      hype_queries: '["What is it?"]',
      hype_embeddings: VECTOR,
    });
    const add = 'INSERT INTO embeddings VALUES (?, ?, ?, ?)';
    execute(project.database, add, 'x', VECTOR, 'test-model', '2026');
    const { chunks, vectors, upkeep } = await stores.open(project.path);
    expect(await idsFound(project, 'tapir')).toEqual(['x']);
    expect(await chunks.getChunks(['x'])).toMatchObject([
      {
        heading: 'Locks',
        tags: ['a'],
        createdAt: '2026-01-02T03:04:05.000Z',
        projectPath: project.path,
      },
    ]);
    expect(scalarOf(project.database, 'SELECT embedding FROM embeddings')).toEqual(VECTOR);
    const cosineTo = async (...values: number[]) =>
      (await vectors.similarities('content', vector(...values), ['x'])).get('x');
    expect(await cosineTo(1)).toBeCloseTo(0.6, 6);
    expect(await cosineTo(0, 1)).toBeCloseTo(0.8, 6);
    expect(await vectors.status('questions')).toEqual({ complete: 1, pending: 0 });
    const counts = 'SELECT retrieval_count, last_retrieved_at FROM chunks';
    expect(rowsOf(project.database, counts)).toEqual([
      { retrieval_count: 3, last_retrieved_at: '2026-02-01T00:00:00.000Z' },
    ]);
    expect(await leftOut(upkeep)).toEqual([]);
    verifyDatabase(project.database);
    const former = project.at(`.knowledge/${asideOf(project)}`);
    expect(scalarOf(former, 'SELECT content FROM chunks')).toBe('one tapir');
    expect(existsSync(`${project.database}.new`)).toBe(false);
    expect(logger.messages('warn')).toContain(
      'The knowledge store had another schema, so its rows were copied into a new one.',
    );
  });

  it('is adopted with what is still in its log', async () => {
    const project = foreignProject('SELECT 1');
    const source = foreignProject(`PRAGMA journal_mode = WAL; ${SPECIFIED_SCHEMA}`);
    withDatabase(source.database, (db) => {
      db.pragma('wal_autocheckpoint = 0');
      db.exec(`INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, content,
        created_at, updated_at) VALUES ('x', 'manual', 'm', '/', 0, 'one tapir', '', '')`);
      for (const suffix of ['', '-wal']) {
        writeFileSync(project.database + suffix, readFileSync(source.database + suffix));
      }
    });
    expect(await idsFound(project, 'tapir')).toEqual(['x']);
    expect(asideOf(project)).toBeDefined();
  });

  it('leaves out rows that do not fit, and says so to the doctor', async () => {
    const project = foreignProject();
    for (const [id, rest] of Object.entries({
      good: { content: 'tapir' },
      typeless: { content: 'tapir', source_type: 'poem' },
      binary: { content: Buffer.from('tapir') as never },
      '': { content: 'tapir' },
    })) {
      insertChunk(project.database, { id, ...rest });
    }
    expect(await idsFound(project, 'tapir')).toEqual(['good']);
    const { upkeep } = await stores.open(project.path);
    expect((await leftOut(upkeep)).toSorted()).toEqual(
      ['no known source type', 'no text, or text that is too long', 'no usable id'].map((why) =>
        expect.stringContaining(`1 rows of "chunks" that have ${why}`),
      ),
    );
  });
});

/** Each of these would run something, or never end, if it were used. */
const HOSTILE = {
  'a trigger': `CREATE TRIGGER evil AFTER INSERT ON chunks BEGIN DELETE FROM chunks; END`,
  'a trigger of ours with another body': `DROP TRIGGER chunks_ai;
    CREATE TRIGGER chunks_ai AFTER DELETE ON embeddings BEGIN DELETE FROM chunks; END`,
  'an endless view': `CREATE VIEW endless AS
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`,
  'an index of an expression': `CREATE INDEX evil ON chunks(abs(chunk_index - 1))`,
  'a partial index': `CREATE INDEX evil ON chunks(id) WHERE content <> 'tapir'`,
  'another table': `CREATE TABLE other (a CHECK (a <> 'x')); INSERT INTO other VALUES ('y')`,
  'another full-text index': `CREATE VIRTUAL TABLE notes USING fts5(body)`,
  'a generated column': `ALTER TABLE chunks ADD COLUMN slow AS (hex(zeroblob(1000000000)))`,
  'a byte-order mark before a CHECK': `DROP TABLE embeddings;
    CREATE TABLE embeddings (chunk_id TEXT PRIMARY KEY, embedding BLOB, model TEXT, created_at TEXT,
    \uFEFFCHECK (model <> 'x'))`,
} as const;

describe('a database that defines more', () => {
  it.each(Object.entries(HOSTILE))(
    'such as %s is adopted, and none of its code runs',
    async (_, sql) => {
      const project = foreignProject();
      insertChunk(project.database, { id: 'x', content: 'one tapir' });
      execute(project.database, sql);
      expect(await idsFound(project, 'tapir')).toEqual(['x']);
      expect(
        scalarOf(project.database, "SELECT count(*) FROM sqlite_schema WHERE name = 'evil'"),
      ).toBe(0);
      expect(asideOf(project)).toBeDefined();
      verifyDatabase(project.database);
    },
  );

  it.each([
    ['a view', 'CREATE VIEW chunks AS SELECT 1 AS id'],
    [
      'an endless view',
      `CREATE VIEW chunks AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
       SELECT id, id AS source_type, id AS source_file, id AS content FROM n`,
    ],
    [
      'a virtual table',
      'CREATE VIRTUAL TABLE chunks USING fts5(id, source_type, source_file, content)',
    ],
    ['a table of other columns', 'CREATE TABLE chunks (id TEXT, text TEXT)'],
    ['absent', 'CREATE TABLE books (title TEXT)'],
  ])('and in which "chunks" is %s gives way to an empty one', async (_, sql) => {
    const project = foreignProject(sql);
    const { chunks, upkeep, needsReindexing } = await stores.open(project.path);
    expect(await chunks.stats()).toMatchObject({ totalChunks: 0 });
    expect(needsReindexing).toBe(false);
    expect((await upkeep.maintain('examine')).map(({ code }) => code)).toContain('left_out');
    expect(asideOf(project)).toBeDefined();
  });

  it('is not read if a required column is computed', async () => {
    const project =
      foreignProject(`CREATE TABLE chunks (id TEXT, source_type TEXT, source_file TEXT,
      content TEXT AS ('computed'))`);
    execute(project.database, "INSERT INTO chunks VALUES ('x', 'file', 'a.md')");
    const { chunks } = await stores.open(project.path);
    expect(await chunks.stats()).toMatchObject({ totalChunks: 0 });
  });
});

describe('a database of another release', () => {
  it('keeps its vectors when its sources are indexed again, and loses chunks that are gone', async () => {
    const project = foreignProject();
    const files = { 'a.md': 'one tapir', 'b.md': 'one okapi', 'gone.md': 'one ibex' };
    for (const [file, content] of Object.entries(files)) {
      insertChunk(project.database, {
        id: `${file}#0`,
        source_type: 'file',
        source_file: file,
        content,
      });
      execute(
        project.database,
        'INSERT INTO embeddings VALUES (?, ?, ?, ?)',
        `${file}#0`,
        VECTOR,
        'test-model',
        '',
      );
    }
    execute(
      project.database,
      `CREATE TABLE store_sources (source_file TEXT, source_type TEXT, content_hash TEXT, chunk_count INT);
       INSERT INTO store_sources SELECT source_file, source_type, 'old', 1 FROM chunks`,
    );
    const { chunks, vectors } = await stores.open(project.path);
    expect(await chunks.indexedSources()).toEqual([
      {
        sourceFile: 'a.md',
        sourceType: 'file',
        contentHash: '',
        chunkCount: 1,
        documentChunkCount: 1,
      },
      {
        sourceFile: 'b.md',
        sourceType: 'file',
        contentHash: '',
        chunkCount: 1,
        documentChunkCount: 1,
      },
      {
        sourceFile: 'gone.md',
        sourceType: 'file',
        contentHash: '',
        chunkCount: 1,
        documentChunkCount: 1,
      },
    ]);
    await chunks.replaceSources([
      { sourceFile: 'a.md', document: document('a.md', ['one tapir']) },
      { sourceFile: 'gone.md', document: undefined },
    ]);
    expect(await vectors.status('content')).toEqual({ complete: 2, pending: 0 });
    expect(await idsFound(project, 'ibex')).toEqual([]);
  });

  it('that is newer is left untouched', async () => {
    const project = foreignProject('PRAGMA application_id = 1263752271; PRAGMA user_version = 99');
    insertSchema(project);
    await expect(stores.open(project.path)).rejects.toMatchObject({ code: 'schema_too_new' });
    expect(readdirSync(project.at('.knowledge'))).toEqual(['knowledge.db']);
  });
});

function insertSchema(project: TempProject): void {
  execute(project.database, SPECIFIED_SCHEMA);
}

describe('a database whose schema is changed while it is open', () => {
  it('is adopted by the next call, with everything that it holds', async () => {
    const project = projects.make();
    const store = await stores.open(project.path);
    await store.chunks.replaceSources([
      { sourceFile: 'a', document: document('a', ['one tapir']) },
    ]);
    execute(project.database, 'CREATE TABLE mine (a)');
    expect(await idsFound(project, 'tapir')).toEqual(['a#0']);
    expect(
      scalarOf(project.database, "SELECT count(*) FROM sqlite_schema WHERE name = 'mine'"),
    ).toBe(0);
    await expect(store.chunks.stats()).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});

it.each([1, -1, -2147483648])(
  'A database of an older release (%d) is adopted whole: doctor finds nothing that was left out',
  async (version) => {
    const project = projects.make();
    const former = await stores.open(project.path);
    await former.chunks.replaceSources([{ sourceFile: 'a', document: document('a', ['one 貘']) }]);
    await stores.release(project.path);
    execute(project.database, `PRAGMA user_version = ${version}`);
    expect(await idsFound(project, '貘')).toEqual(['a#0']);
    const adopted = await stores.open(project.path);
    expect(asideOf(project)).toBeDefined();
    expect(await leftOut(adopted.upkeep)).toEqual([]);
  },
);

it('makes nothing outside of a folder that has become a link', async () => {
  const project = projects.make({ '.knowledge/knowledge.db': '' });
  const outside = projects.make();
  const path = project.at('.knowledge/knowledge.db');
  const former = fileId(path);
  rmSync(project.at('.knowledge'), { recursive: true });
  symlinkSync(outside.path, project.at('.knowledge'));
  await expect(replacing(path, former)).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(readdirSync(outside.path)).toEqual([]);
});

describe('databases that were set aside', () => {
  it('are named with their sizes, and the two newest of each kind stay', async () => {
    const project = foreignProject();
    const names = ['2020', '2021', '2022'].flatMap((year) =>
      ['corrupt', 'replaced'].map((kind) => `knowledge.db.${kind}-${year}-01-01T00-00-00.000Z`),
    );
    for (const name of names) {
      for (const suffix of ['', '-wal'])
        project.write(`.knowledge/${name}${suffix}`, 'x'.repeat(5_000));
    }
    project.write('.knowledge/knowledge.db.backup', 'mine');
    const { upkeep } = await stores.open(project.path);
    const left = readdirSync(project.at('.knowledge')).filter((name) =>
      /(corrupt|replaced)/.test(name),
    );
    expect(left.filter((name) => name.includes('corrupt'))).toEqual(
      ['2021', '2022'].flatMap((year) =>
        ['', '-wal'].map((end) => `knowledge.db.corrupt-${year}-01-01T00-00-00.000Z${end}`),
      ),
    );
    expect(left.filter((name) => name.includes('replaced') && !name.endsWith('-wal'))).toHaveLength(
      2,
    );
    expect(left).not.toContain('knowledge.db.replaced-2021-01-01T00-00-00.000Z-wal');
    expect(existsSync(project.at('.knowledge/knowledge.db.backup'))).toBe(true);
    const findings = await upkeep.maintain('examine');
    expect(findings).toHaveLength(4);
    expect(findings[0]).toEqual({
      code: 'set_aside',
      sentence: expect.stringMatching(/knowledge\.db\.corrupt-2021-\S+ \(10 kB\)/),
    });
  });
});

describe('an adoption that is interrupted', () => {
  it('leaves a file that the next opening replaces', async () => {
    const project = foreignProject();
    insertChunk(project.database, { id: 'x', content: 'one tapir' });
    const other = projects.make();
    await stores.open(other.path);
    await stores.release(other.path);
    renameSync(other.database, `${project.database}.new`);
    expect(await idsFound(project, 'tapir')).toEqual(['x']);
    expect(await (await stores.open(project.path)).chunks.indexedSources()).toEqual([]);
  });

  it('leaves no lock and nothing that was being built', async () => {
    const project = foreignProject();
    insertChunk(project.database, { id: 'x', content: 'one tapir' });
    project.write('.knowledge/knowledge.db.new-killed', 'half');
    project.write('.knowledge/knowledge.db.new-killed-journal', 'half');
    expect(await idsFound(project, 'tapir')).toEqual(['x']);
    const names = readdirSync(project.at('.knowledge')).filter((name) => name.includes('.new'));
    expect(names).toEqual([]);
  });

  it('does not replace a database that was created in the meantime', async () => {
    const project = foreignProject();
    insertChunk(project.database, { id: 'x', content: 'one tapir' });
    const replacement = await replacing(project.database, fileId(project.database));
    const other = foreignProject();
    insertChunk(other.database, { id: 'y', content: 'one okapi' });
    renameSync(other.database, project.database);
    expect(replacement?.takePlace('replaced', new Date())).toBeUndefined();
    replacement?.abandon();
    expect(await idsFound(project, 'okapi')).toEqual(['y']);
  });

  it('is done once by two processes that open the database at the same time', async () => {
    const project = foreignProject();
    insertChunk(project.database, { id: 'x', content: 'one tapir' });
    const others = sqliteStores();
    await Promise.all([stores.open(project.path), others.open(project.path)]);
    await others.close();
    expect(await idsFound(project, 'tapir')).toEqual(['x']);
    const aside = readdirSync(project.at('.knowledge')).filter((name) => name.includes('replaced'));
    expect(aside.filter((name) => !/-(wal|shm)$/.test(name))).toHaveLength(1);
  });

  it.each([1, 2, 3])('never ends with an empty store if many begin at once, round %i', async () => {
    const project = foreignProject();
    insertChunk(project.database, { id: 'x', content: 'one tapir' });
    const many = Array.from({ length: 8 }, () => sqliteStores());
    const opened = await Promise.all(many.map((one) => one.open(project.path)));
    const lists = await Promise.all(opened.map((store) => found({ store }, 'tapir')));
    expect(lists).toEqual(many.map(() => ['x']));
    await Promise.all(many.map((one) => one.close()));
    expect(await idsFound(project, 'tapir')).toEqual(['x']);
  });
});

it('A database in memory writes no file', async () => {
  const project = projects.make({ 'a.md': 'one tapir' });
  const { store, stop } = createKnowledgeStore({
    backend: 'memory',
    logger: 'silent',
    variant: 'search-only',
  });
  await store.reindex(project.path);
  expect((await store.search(project.path, 'tapir')).results).toHaveLength(1);
  await stop();
  expect(readdirSync(project.path)).toEqual(['a.md']);
});
