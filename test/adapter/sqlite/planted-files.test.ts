import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/database/driver.js';
import { SqliteDatabaseReader } from '../../../src/adapters/sqlite/stores/sqlite-database-reader.js';
import {
  execute,
  insertChunk,
  rowsOf,
  SPECIFIED_SCHEMA,
  verifyDatabase,
  withDatabase,
} from '../../support/database-inspection.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import { journalNaming } from '../../support/super-journal.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();

const stores = sqliteStores();
afterAll(() => stores.close());

/** A project whose database another program left in rollback mode, with one chunk. */
function specifiedProject(): TempProject {
  const project = projects.make();
  mkdirSync(project.at('.knowledge'));
  execute(project.database, SPECIFIED_SCHEMA);
  insertChunk(project.database, { id: 'x', content: 'one tapir' });
  return project;
}

function outsideFile(): string {
  const outside = projects.make({ 'precious.txt': 'precious' });
  return outside.at('precious.txt');
}

function sqliteVersion(): string {
  const db = openDatabase(':memory:');
  const version = db.prepare<[], string>('SELECT sqlite_version()').pluck().get();
  db.close();
  return version ?? '';
}

function plantJournal(database: string, superJournal: string): void {
  const pages = readFileSync(database).length / 4096;
  writeFileSync(`${database}-journal`, journalNaming(superJournal, pages));
}

describe('a rollback journal that names a file outside the project', () => {
  test.skipIf(sqliteVersion() >= '3.54')('makes an older SQLite delete that file', () => {
    const [project, outside] = [specifiedProject(), outsideFile()];
    plantJournal(project.database, outside);
    rowsOf(project.database, 'SELECT 1 FROM chunks');
    expect(existsSync(outside)).toBe(false);
  });

  test.each(['rollback', 'write-ahead'])(
    'is refused beside a database in %s mode, and nothing is changed',
    async (mode) => {
      const [project, outside] = [specifiedProject(), outsideFile()];
      if (mode === 'write-ahead') execute(project.database, 'PRAGMA journal_mode = WAL');
      plantJournal(project.database, outside);
      const before = readFileSync(project.database);
      await expect(stores.open(project.path)).rejects.toMatchObject({
        code: 'store_unavailable',
        message: expect.stringContaining('knowledge.db-journal'),
      });
      expect(readFileSync(outside, 'utf8')).toBe('precious');
      expect(readFileSync(project.database)).toEqual(before);
      expect(existsSync(`${project.database}-journal`)).toBe(true);
    },
  );

  test('is refused next to a file that is not a database', async () => {
    const [project, outside] = [specifiedProject(), outsideFile()];
    writeFileSync(project.database, 'this is not a database\n'.repeat(1000));
    plantJournal(project.database, outside);
    await expect(stores.open(project.path)).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(readFileSync(outside, 'utf8')).toBe('precious');
  });
});

/** Every name in the application directory that the product opens with SQLite. */
const OPENED_NAMES = ['knowledge.db', 'knowledge.db.new'];

/** Databases that have to be replaced when they are opened. */
const REPLACED = {
  'of another program': () => specifiedProject(),
  'that is no database': () => {
    const project = projects.make();
    project.write('.knowledge/knowledge.db', 'this is not a database\n'.repeat(1000));
    return project;
  },
};

describe.each(Object.entries(REPLACED))('a database %s', (_, make) => {
  /** What is refused or replaced; either way nothing outside changes. */
  async function opened(project: TempProject): Promise<void> {
    await stores.open(project.path).catch((error) => {
      expect(error).toMatchObject({ code: 'store_unavailable' });
    });
  }

  test.each(
    OPENED_NAMES.flatMap(
      (name) =>
        [
          [name, 'an absolute path', (outside: string) => outside],
          [name, 'a relative path', (outside: string) => relative(process.cwd(), outside)],
        ] as const,
    ),
  )('beside a journal of %s that names a file outside by %s', async (name, _by, pathTo) => {
    const [project, outside] = [make(), outsideFile()];
    const file = project.at(`.knowledge/${name}`);
    if (!existsSync(file)) cpSync(specifiedProject().database, file);
    const pages = Math.max(1, Math.floor(readFileSync(file).length / 4096));
    writeFileSync(`${file}-journal`, journalNaming(pathTo(outside), pages));
    await opened(project);
    expect(readFileSync(outside, 'utf8')).toBe('precious');
  });

  test.each(
    OPENED_NAMES.flatMap((name) =>
      ['', '-wal', '-shm', '-journal'].map((suffix) => name + suffix),
    ).filter((name) => name !== 'knowledge.db'),
  )('beside a link %s to a file outside', async (name) => {
    const [project, outside] = [make(), outsideFile()];
    const empty = projects.make({ 'empty.txt': '' }).at('empty.txt');
    for (const target of [outside, empty]) {
      rmSync(project.at(`.knowledge/${name}`), { force: true });
      symlinkSync(target, project.at(`.knowledge/${name}`));
      await opened(project);
      await stores.release(project.path);
    }
    expect(readFileSync(outside, 'utf8')).toBe('precious');
    expect(readFileSync(empty, 'utf8')).toBe('');
  });

  test('beside a folder in place of the lock', async () => {
    const project = make();
    mkdirSync(project.at('.knowledge/knowledge.db.new'));
    await expect(stores.open(project.path)).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});

describe('a database that is imported', () => {
  test.each(['a journal that names it', 'a link'])(
    'leaves a file outside alone, named by %s',
    async (how) => {
      const [project, outside] = [specifiedProject(), outsideFile()];
      if (how === 'a link') symlinkSync(outside, `${project.database}-wal`);
      else plantJournal(project.database, outside);
      const reading = async () => {
        for await (const _ of new SqliteDatabaseReader(384).read(project.database));
      };
      await expect(reading()).rejects.toMatchObject({ code: 'store_unavailable' });
      expect(readFileSync(outside, 'utf8')).toBe('precious');
    },
  );
});

test('a transaction that another program did not finish is rolled back', async () => {
  const project = specifiedProject();
  const crashed = projects.make();
  withDatabase(project.database, (db) => {
    db.pragma('cache_spill = 1');
    db.pragma('cache_size = 1');
    db.exec("BEGIN; UPDATE chunks SET content = 'half of a change' || hex(zeroblob(100000))");
    cpSync(project.at('.knowledge'), crashed.at('.knowledge'), { recursive: true });
    db.exec('ROLLBACK');
  });
  expect(existsSync(`${crashed.database}-journal`)).toBe(true);
  await stores.open(crashed.path);
  expect(rowsOf(crashed.database, 'SELECT content FROM chunks')).toEqual([
    { content: 'one tapir' },
  ]);
  verifyDatabase(crashed.database);
});

test.each(['-wal', '-shm', '-journal'])(
  'a link in the place of knowledge.db%s is refused and not followed',
  async (sidecar) => {
    const [project, outside] = [specifiedProject(), outsideFile()];
    execute(project.database, 'PRAGMA journal_mode = WAL');
    symlinkSync(outside, project.database + sidecar);
    await expect(stores.open(project.path)).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining(`knowledge.db${sidecar} is not a regular file`),
    });
    expect(readFileSync(outside, 'utf8')).toBe('precious');
  },
);

test('a database of one byte beside a log is set aside like any other that is damaged', async () => {
  const project = projects.make();
  mkdirSync(project.at('.knowledge'));
  writeFileSync(project.database, 'x');
  writeFileSync(`${project.database}-wal`, 'log');
  const { chunks } = await stores.open(project.path);
  expect(await chunks.stats()).toMatchObject({ totalChunks: 0 });
});

test('an application directory that is a file holds no store, and is no bug', async () => {
  const project = projects.make({ '.knowledge': 'a file' });
  expect(await stores.find(project.path)).toBeUndefined();
  await expect(stores.open(project.path)).rejects.toMatchObject({ code: 'store_unavailable' });
});
