import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Database } from '../../../src/adapters/sqlite/database/driver.js';
import {
  createKnowledgeStore,
  type KnowledgeStoreOptions,
  type RunningKnowledgeStore,
} from '../../../src/index.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';
import { problemsIn } from '../../support/verify.js';

/** Doctor, through the library on real files. */
const projects = testProjects();

const FILES = {
  'docs/animals.md':
    '## Otters\nAn otter sleeps on its back.\n\n## Beavers\nA beaver builds dams.\n',
  '.knowledge/memory/locks.md': '## Locks\nWriters wait for each other. 用户认证\n',
};

let project: TempProject;
const running: RunningKnowledgeStore[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ stop }) => stop()));
});

beforeEach(async () => {
  project = projects.make(FILES);
  const { store, stop } = serving();
  await store.reindex(project.path);
  await untilEmbedded(store, project);
  await store.search(project.path, 'otter');
  await stop();
});

describe('doctor', () => {
  test('repairs what is derived, and says so', async () => {
    changed(project, (db) => {
      db.exec("INSERT INTO chunks_fts(chunks_fts) VALUES ('delete-all')");
      db.pragma('foreign_keys = OFF');
      db.exec("INSERT INTO embeddings VALUES ('gone#0', x'00', 'other', '')");
      db.exec(`UPDATE chunks SET hype_queries = '["' WHERE rowid = 1`);
    });
    const temporary = '.knowledge/memory/.00000000-0000-0000-0000-000000000000.tmp';
    project.write(temporary, 'x');
    utimesSync(project.at(temporary), new Date(0), new Date(0));
    const setAside = '.knowledge/knowledge.db.corrupt-2026-01-01T00-00-00.000Z';
    project.write(setAside, 'what could not be read');
    const { recovery, store } = serving();
    const before = await recovery.examine(project.path);
    expect(before.healthy).toBe(false);
    expect(before.notes[0]).toContain(setAside);
    expect(before.problems.map(({ state }) => state)).toEqual(Array(4).fill('mendable'));
    expect((await store.search(project.path, 'beaver')).results).toEqual([]);

    const repaired = await recovery.repair(project.path);
    expect(repaired.healthy).toBe(true);
    expect(repaired.problems.map(({ problem }) => problem)).toEqual(
      before.problems.map(({ problem }) => problem),
    );
    expect(existsSync(project.at(temporary))).toBe(false);
    expect(existsSync(project.at(setAside))).toBe(true);
    expect((await store.search(project.path, 'beaver')).results).toHaveLength(1);
    await untilEmbedded(store, project);
    expect((await recovery.examine(project.path)).problems).toEqual([]);
  });

  test.each(['repair', 'rebuild'] as const)('makes an index of a table again: %s', async (by) => {
    changed(project, emptyIndex);
    const { recovery, store } = serving();
    expect(await recovery.examine(project.path)).toMatchObject({
      healthy: false,
      problems: [{ state: 'mendable', problem: 'An index of a table does not match its rows.' }],
    });
    if (by === 'repair') expect((await recovery.repair(project.path)).healthy).toBe(true);
    else await store.rebuildIndex(project.path);
    expect((await recovery.examine(project.path)).problems).toEqual([]);
    expect(problemsIn(project.database, { project: project.path })).toEqual([]);
  });

  test('a rebuild looks at the indexes again after another program has written, and only then', async () => {
    const { recovery, store } = serving();
    await store.readAllSources(project.path);
    const pragmas = vi.spyOn(Database.prototype, 'pragma');
    await store.search(project.path, 'otter');
    await store.readAllSources(project.path);
    const checks = pragmas.mock.calls.filter(([pragma]) => /_check\b/.test(pragma));
    pragmas.mockRestore();
    expect(checks).toEqual([]);
    changed(project, emptyIndex);
    await store.readAllSources(project.path);
    expect((await recovery.examine(project.path)).problems).toEqual([]);
  });

  test('a rebuild goes on where a full-text index is damaged and marks are left over', async () => {
    changed(project, (db) => {
      db.unsafeMode().exec("UPDATE chunks_fts_data SET block = x'ffffffffffffffff' WHERE id = 10");
      db.pragma('foreign_keys = OFF');
      db.exec("INSERT INTO store_owned VALUES ('docs/new.md#0')");
    });
    project.write('docs/new.md', 'A newt hides.');
    project.write('docs/animals.md', 'A beaver sleeps.');
    const { store } = serving();
    await store.readAllSources(project.path);
    for (const word of ['newt', 'beaver', 'writers']) {
      expect((await store.search(project.path, word)).results).toHaveLength(1);
    }
    expect(problemsIn(project.database, { project: project.path })).toEqual([]);
  });

  test.each(['chunks_fts', 'store_cjk'])(
    'a write finds %s without what its own tables hold, and the watch goes on',
    async (index) => {
      changed(project, (db) => {
        db.unsafeMode().exec(`UPDATE ${index}_data SET block = zeroblob(5) WHERE id = 10`);
      });
      project.write('docs/new.md', 'A newt hides. 用户中心');
      const { store } = serving({ watch: true });
      await store.search(project.path, 'newt');
      // Without another call of a client.
      await vi.waitFor(() => expect(sourcesIn(project)).toContain('docs/new.md'), 10_000);
      for (const word of ['newt', 'beaver', '认证', '中心']) {
        expect((await store.search(project.path, word)).results, word).toHaveLength(1);
      }
      expect(problemsIn(project.database, { project: project.path })).toEqual([]);
    },
  );

  /** What FTS5 cannot open, or takes for an index of nothing. */
  test.each([
    ['version', "UPDATE $_config SET v = 99 WHERE k = 'version'"],
    ['settings', 'DROP TABLE $_config'],
    ['parts', 'UPDATE $_data SET block = zeroblob(length(block))'],
    ['data', 'DROP TABLE $_data'],
  ])(
    'a full-text index without its %s is made again by the next opening, or by a rebuild',
    async (_, sql) => {
      const spoil = () =>
        changed(project, (db) => {
          for (const index of ['chunks_fts', 'store_cjk']) {
            db.unsafeMode().exec(sql.replace('$', index));
          }
        });
      spoil();
      const { store } = serving();
      for (const word of ['beaver', '认证']) {
        expect((await store.search(project.path, word)).results, word).toHaveLength(1);
      }
      spoil();
      await store.rebuildIndex(project.path);
      for (const word of ['beaver', '认证']) {
        expect((await store.search(project.path, word)).results, word).toHaveLength(1);
      }
      expect(problemsIn(project.database, { project: project.path })).toEqual([]);
    },
  );

  test('a search that finds the full-text index damaged says that it is being made again', async () => {
    changed(project, (db) =>
      db.unsafeMode().exec('UPDATE chunks_fts_data SET block = zeroblob(9) WHERE id > 10'),
    );
    const { store } = serving();
    await expect(store.search(project.path, 'beaver')).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringMatching(/^The full-text index .* is being made again from the chunks/),
    });
    expect((await store.search(project.path, 'beaver')).results).toHaveLength(1);
  });

  /** No check of SQLite sees these, because every row is one that could be. */
  test.each([
    "UPDATE chunks SET source_file = 'x' WHERE id = 'docs/animals.md#1'",
    "UPDATE chunks SET id = 'docs/animals.md#!' WHERE id = 'docs/animals.md#1'",
  ])('a rebuild writes a chunk again after %s', async (sql) => {
    changed(project, (db) => db.exec(`PRAGMA foreign_keys = OFF; ${sql}`));
    await serving().store.reindex(project.path);
    changed(project, (db) => {
      const files = db.prepare('SELECT source_file FROM chunks WHERE id = ?').pluck();
      expect(files.get('docs/animals.md#1')).toBe('docs/animals.md');
      db.exec("DELETE FROM chunks WHERE id = 'docs/animals.md#!'");
    });
    expect(problemsIn(project.database, { project: project.path })).toEqual([]);
  });

  test('replaces a database with a damaged page, and reads the sources again', async () => {
    const pages = readFileSync(project.database);
    const place = pages.indexOf('A beaver builds dams.');
    pages.fill(0xa5, place - (place % 4096), place - (place % 4096) + 16);
    writeFileSync(project.database, pages);
    const { recovery, store } = serving();
    expect(await recovery.examine(project.path)).toMatchObject({
      healthy: false,
      problems: [
        { state: 'damaged', problem: expect.stringMatching(/^The database file is damaged/) },
      ],
    });
    const { healthy, problems, notes } = await recovery.repair(project.path);
    expect(healthy).toBe(true);
    expect(problems.every(({ state }) => state === 'mended')).toBe(true);
    expect(notes.join(' ')).toMatch(/knowledge\.db\.corrupt-.* is a damaged database/);
    expect((await store.search(project.path, 'beaver')).results).toHaveLength(1);
    expect(problemsIn(project.database, { project: project.path })).toEqual([]);
  });

  test('names other folders that look like the application directory', async () => {
    project.write('.automaker/features/f-1/feature.json', '{}');
    const { notes } = await serving().recovery.examine(project.path);
    expect(notes).toEqual([
      '.knowledge is used; what else looks like an application directory: .automaker.',
    ]);
  });
});

function serving(options: Pick<KnowledgeStoreOptions, 'backend' | 'watch'> = {}) {
  const service = createKnowledgeStore({
    ...options,
    logger: 'silent',
    backends: { embedder: FakeEmbedder.ready() },
  });
  running.push(service);
  return service;
}

async function untilEmbedded(store: BoundStatus, { path }: TempProject) {
  while ((await store.getEmbeddingStatus(path)).pending > 0) await new Promise(setImmediate);
}

type BoundStatus = Pick<RunningKnowledgeStore['store'], 'getEmbeddingStatus'>;

function changed({ database }: TempProject, work: (db: Database) => unknown): void {
  const db = new Database(database, { timeout: 5000 });
  work(db);
  db.close();
}

function sourcesIn({ database }: TempProject): unknown {
  const db = new Database(database, { readonly: true });
  const files = db.prepare('SELECT source_file FROM store_sources').pluck().all();
  db.close();
  return files;
}

/** Leaves an index in the schema that has no entries, as flipped bits may. */
function emptyIndex(db: Database): void {
  const name = 'chunks_by_created_at';
  const sql = db.prepare('SELECT sql FROM sqlite_master WHERE name = ?').pluck().get(name);
  db.exec(`DROP INDEX ${name}; CREATE INDEX ${name} ON chunks(created_at) WHERE 0`);
  db.unsafeMode(true);
  db.pragma('writable_schema = ON');
  db.prepare('UPDATE sqlite_master SET sql = ? WHERE name = ?').run(sql, name);
  db.pragma('writable_schema = RESET');
}
