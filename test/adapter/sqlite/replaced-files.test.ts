import {
  cpSync,
  existsSync,
  linkSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Connections } from '../../../src/adapters/sqlite/database/connections.js';
import { Database } from '../../../src/adapters/sqlite/database/driver.js';
import { fileId, moveAside } from '../../../src/adapters/sqlite/database/file-identity.js';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.js';
import { stateOf } from '../../../src/adapters/sqlite/database/store-state.js';
import { EMBEDDING_DIMENSIONS } from '../../../src/domain/limits.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { document } from '../../support/chunks.js';
import { execute, rowsOf, verifyDatabase } from '../../support/database-inspection.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

const NAMES = Array.from({ length: 40 }, (_, index) => String(index).padStart(2, '0'));

/** A project with forty chunks of these files, opened and left in its write-ahead log. */
async function written(prefix: string) {
  const project = projects.make();
  const stores = sqliteStores();
  const { chunks } = await stores.open(project.path);
  for (const name of NAMES) {
    const source = document(`${prefix}${name}`, [`${prefix} ${name}`]);
    await chunks.replaceSource(source.sourceFile, async () => source);
  }
  return { project, stores };
}

function filesOf(project: TempProject): readonly string[] {
  const rows = rowsOf<{ source_file: string }>(project.database, 'SELECT source_file FROM chunks');
  return rows.map(({ source_file: file }) => file).toSorted();
}

describe('a sound database that is moved over the one in use', () => {
  test('is the one that counts, and gets nothing of the former log', async () => {
    const [old, other] = [await written('old'), await written('new')];
    await other.stores.close();
    renameSync(other.project.database, old.project.database);
    const store = await old.stores.open(old.project.path);
    expect((await store.chunks.stats()).totalChunks).toBe(40);
    const source = document('later', ['later']);
    await store.chunks.replaceSource('later', async () => source);
    await old.stores.close();
    expect(filesOf(old.project)).toEqual(
      ['later', ...NAMES.map((name) => `new${name}`)].toSorted(),
    );
    verifyDatabase(old.project.database);
  });

  test('gets nothing of the former log where somebody reads during a write', async () => {
    const [old, other] = [await written('old'), await written('new')];
    await other.stores.close();
    const former = old.project.at('former.db');
    linkSync(old.project.database, former);
    const { chunks } = await old.stores.open(old.project.path);
    const writing = chunks.replaceSource('later', async () => {
      renameSync(other.project.database, old.project.database);
      await expect(chunks.stats()).rejects.toMatchObject({ code: 'store_unavailable' });
      return document('later', ['later']);
    });
    await expect(writing).rejects.toMatchObject({ code: 'store_unavailable' });
    await old.stores.close();
    expect(filesOf(old.project)).toEqual(NAMES.map((name) => `new${name}`));
    verifyDatabase(old.project.database);
    expect(rowsOf(former, 'SELECT 1 FROM chunks')).toHaveLength(40);
  });

  test('is not read where it comes while a second connection is being opened', () => {
    const project = projects.make({ 'other.db': '' });
    const writer = new Database(project.at('used.db'));
    const connections = new Connections({
      path: project.at('used.db'),
      file: fileId(project.at('used.db')),
      writer,
      open: (check) => {
        renameSync(project.at('other.db'), project.at('used.db'));
        check();
        return writer;
      },
      asideName: () => project.at('aside.db'),
    });
    writer.exec('BEGIN');
    expect(() => connections.reader).toThrow(/was moved or replaced/);
    writer.close();
  });

  test('gets no write where it comes while the former one is being opened', async () => {
    const [old, other] = [await written('old'), await written('new')];
    await Promise.all([old.stores.close(), other.stores.close()]);
    execute(old.project.database, "UPDATE store_state SET value = '' WHERE name LIKE 'pages_%'");
    const connections = await openDatabase(old.project.at('.knowledge'), {
      mode: 'trusted',
      clock: new FixedClock(),
      stopWaiting: new AbortController().signal,
      get dimensions() {
        renameSync(other.project.database, old.project.database);
        return EMBEDDING_DIMENSIONS;
      },
    });
    const writing = connections.transaction(
      () => undefined,
      async (begin) => begin(),
    );
    await expect(writing).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(stateOf(connections.reader, 'pages_checked_of')).toBe('');
    connections.close();
    expect(filesOf(old.project)).toEqual(NAMES.map((name) => `new${name}`));
    verifyDatabase(old.project.database);
  });

  test('keeps a log that came with it while the former one was being opened', async () => {
    const other = await written('new');
    const copy = copyOf(other.project);
    await other.stores.close();
    const former = new Database(copy.at('former.db'));
    const connections = new Connections({
      path: copy.database,
      file: fileId(former.name),
      writer: former,
      open: () => former,
      asideName: () => copy.at('aside.db'),
    });
    connections.close();
    const stores = sqliteStores();
    expect((await (await stores.open(copy.path)).chunks.stats()).totalChunks).toBe(40);
    await stores.close();
  });

  test('keeps a log that came with it', async () => {
    const [old, other] = [await written('old'), await written('new')];
    expect(statSync(`${other.project.database}-wal`).size).toBeGreaterThan(0);
    const copy = copyOf(other.project);
    await other.stores.close();
    for (const sidecar of ['', '-wal'])
      renameSync(copy.database + sidecar, old.project.database + sidecar);
    const store = await old.stores.open(old.project.path);
    expect((await store.chunks.stats()).totalChunks).toBe(40);
    expect((await store.chunks.indexedSources())[0]?.sourceFile).toBe('new00');
    await old.stores.close();
  });
});

describe('a database that is moved away and back while it is in use', () => {
  test.each(['closed', 'killed'])('loses nothing where the process is %s then', async (how) => {
    const { project, stores } = await written('old');
    renameSync(project.database, project.at('x'));
    await stores.open(project.path).then(({ chunks }) => chunks.stats());
    renameSync(project.at('x'), project.database);
    const after = how === 'killed' ? crashed(project) : project;
    if (how === 'closed') await stores.close();
    const again = sqliteStores();
    const { chunks } = await again.open(after.path);
    expect((await chunks.stats()).totalChunks).toBe(40);
    await again.close();
    await stores.close();
    verifyDatabase(after.database);
  });

  test('gets no write of those who hold its store meanwhile', async () => {
    const { project, stores } = await written('old');
    const { chunks } = await stores.open(project.path);
    renameSync(project.database, project.at('x'));
    const source = document('later', ['later']);
    const writing = chunks.replaceSource('later', async () => source);
    await expect(writing).rejects.toMatchObject({ code: 'store_unavailable' });
    await stores.close();
    const files = rowsOf<{ file: string }>(project.at('x'), 'SELECT source_file file FROM chunks');
    expect(files).toHaveLength(40);
    expect(readdirSync(project.at('.knowledge'))).toEqual([]);
  });

  test('keeps the log that a transaction of another program holds', async () => {
    const { project, stores } = await written('old');
    const reader = new Database(project.database);
    reader.exec('BEGIN; SELECT count(*) FROM chunks');
    const { chunks } = await stores.open(project.path);
    const source = document('later', ['later']);
    await chunks.replaceSource('later', async () => source);
    renameSync(project.database, project.at('x'));
    await stores.open(project.path);
    await stores.close();
    reader.close();
    expect(readdirSync(project.at('.knowledge')).toSorted()).toEqual([
      'knowledge.db',
      expect.stringMatching(/^knowledge\.db\.replaced-.*-wal$/),
    ]);
  });
});

test.each(['without its database', 'beside an empty database'])(
  'a log %s is set aside, and a new database is made',
  async (where) => {
    const { project, stores } = await written('old');
    const left = copyOf(project);
    await stores.close();
    if (where === 'without its database') rmSync(left.database);
    else writeFileSync(left.database, '');
    const again = sqliteStores();
    expect((await (await again.open(left.path)).chunks.stats()).totalChunks).toBe(0);
    await again.close();
    expect(readdirSync(left.at('.knowledge')).toSorted()).toEqual([
      'knowledge.db',
      expect.stringMatching(/^knowledge\.db\.replaced-.*-wal$/),
    ]);
  },
);

function copyOf({ path }: TempProject): TempProject {
  const copy = projects.make();
  cpSync(join(path, '.knowledge'), copy.at('.knowledge'), { recursive: true });
  return copy;
}

/** The files as they are at this moment, elsewhere: what a process that is killed leaves behind. */
function crashed({ path }: TempProject): TempProject {
  const left = projects.make();
  rmSync(left.at('.knowledge'), { recursive: true, force: true });
  renameSync(join(path, '.knowledge'), left.at('.knowledge'));
  return left;
}

test('a damaged database is not set aside if another one has replaced it', () => {
  const project = projects.make({ '.knowledge/knowledge.db': 'damaged' });
  const damaged = fileId(project.database) ?? '';
  project.write('.knowledge/fresh.db', 'fresh');
  renameSync(project.at('.knowledge/fresh.db'), project.database);
  expect(moveAside(project.database, damaged, `${project.database}.corrupt-now`)).toBeUndefined();
  expect(readdirSync(project.at('.knowledge'))).toEqual(['knowledge.db']);
});

test('two processes that open a damaged database at once set it aside once', async () => {
  const project = projects.make();
  project.write('.knowledge/knowledge.db', 'This is not a database at all. '.repeat(300));
  const both = [sqliteStores(), sqliteStores()];
  await Promise.all(both.map((stores) => stores.open(project.path)));
  const asides = readdirSync(project.at('.knowledge')).filter((name) =>
    /corrupt-[^-]+-[^-]+-[^-]+-[^-]+-[^-]+$/.test(name),
  );
  expect(asides).toHaveLength(1);
  await Promise.all(both.map((stores) => stores.close()));
  verifyDatabase(project.database);
});

test('writes end side by side when another process holds the lock for too long; reads do not wait', async () => {
  const project = projects.make({});
  const stores = sqliteStores({ lockTimeoutMs: 500 });
  const store = await stores.open(project.path);
  const holder = new Database(project.database);
  holder.exec('BEGIN IMMEDIATE');
  const start = performance.now();
  const writes = Promise.allSettled([1, 2, 3, 4].map(() => store.refill.clear()));
  expect((await store.chunks.stats()).totalChunks).toBe(0);
  expect(performance.now() - start).toBeLessThan(500);
  const code = 'store_unavailable';
  for (const write of await writes) expect(write).toMatchObject({ reason: { code } });
  expect(performance.now() - start).toBeGreaterThan(490);
  expect(performance.now() - start).toBeLessThan(1500);
  holder.close();
  await store.refill.clear();
  await stores.close();
});

describe('stores that are closed while another process holds the lock', () => {
  test.each(['a write', 'the opening'])('end at once if %s waits for it', async (what) => {
    const { project, stores } = await written('a');
    if (what === 'the opening') await stores.close();
    const waiting = what === 'the opening' ? sqliteStores() : stores;
    const store = what === 'a write' ? await stores.open(project.path) : undefined;
    const holder = new Database(project.database);
    if (what === 'the opening') holder.exec('DROP INDEX chunks_by_updated_at');
    holder.exec('BEGIN IMMEDIATE');
    const work = store ? store.refill.clear() : waiting.open(project.path);
    const refused = expect(work).rejects.toMatchObject({ code: 'store_unavailable' });
    await new Promise((resolve) => setImmediate(resolve));
    const start = performance.now();
    await waiting.close();
    await refused;
    expect(performance.now() - start).toBeLessThan(3000);
    holder.close();
    await stores.close();
  });
});

test('a file of the same number on another device is another file', () => {
  const project = projects.make({ a: '' });
  writeFileSync(project.at('b'), '');
  expect(fileId(project.at('a'))).not.toBe(fileId(project.at('b')));
  expect(fileId(project.at('a'))).toBe(
    `${statSync(project.at('a')).dev} ${statSync(project.at('a')).ino}`,
  );
  expect(fileId(project.at('c'))).toBeUndefined();
  expect(existsSync(project.at('c'))).toBe(false);
});
