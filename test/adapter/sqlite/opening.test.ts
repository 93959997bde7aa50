import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { SeenDatabases } from '../../../src/adapters/sqlite/database/seen-databases.js';
import type { ProjectStore } from '../../../src/ports/project-stores.js';
import { found } from '../../contract/harness/steps.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { document } from '../../support/chunks.js';
import {
  execute,
  scalarOf,
  verifyDatabase,
  withDatabase,
} from '../../support/database-inspection.js';
import { sqliteStores } from '../../support/sqlite-stores.js';
import type { TempProject } from '../../support/temp-project.js';
import { testProjects } from '../../support/test-projects.js';

const projects = testProjects();
const stores = sqliteStores();
afterAll(() => stores.close());

const UNAVAILABLE = { code: 'store_unavailable' };

function add(store: ProjectStore, file: string, ...texts: string[]) {
  return store.chunks.replaceSources([{ sourceFile: file, document: document(file, texts) }]);
}

function asides(project: TempProject): readonly string[] {
  const names = readdirSync(project.at('.knowledge'));
  return names.filter((name) => /\.(corrupt|replaced)-[^-]*-[^-]*-[^-]*-[^-]*-[^-]*Z$/.test(name));
}

async function indexed(): Promise<TempProject> {
  const project = projects.make();
  await add(await stores.open(project.path), 'a', 'one tapir');
  return project;
}

describe('a database that is no longer the one that was opened', () => {
  it('is created again if it was removed', async () => {
    const project = await indexed();
    const store = await stores.open(project.path);
    rmSync(project.database);
    await expect(store.chunks.stats()).rejects.toMatchObject(UNAVAILABLE);
    await expect(add(store, 'b', 'two')).rejects.toMatchObject(UNAVAILABLE);
    const again = await stores.open(project.path);
    expect(again).not.toBe(store);
    await add(again, 'b', 'one okapi');
    expect(await found({ store: again }, 'tapir OR okapi')).toEqual(['b#0']);
    verifyDatabase(project.database);
  });

  it('takes its log with it, so that two processes go on with one database', async () => {
    const project = await indexed();
    const other = sqliteStores();
    await (await other.open(project.path)).chunks.stats();
    rmSync(project.database);
    await stores.open(project.path);
    await add(await other.open(project.path), 'b', 'one okapi');
    expect(await found({ store: await stores.open(project.path) }, 'tapir OR okapi')).toEqual([
      'b#0',
    ]);
    await other.close();
    verifyDatabase(project.database);
  });

  it('is opened again, with everything, if its log was removed', async () => {
    const project = await indexed();
    const store = await stores.open(project.path);
    rmSync(`${project.database}-wal`);
    await expect(store.chunks.stats()).rejects.toMatchObject(UNAVAILABLE);
    const again = await stores.open(project.path);
    await add(again, 'b', 'one okapi');
    expect(await found({ store: again }, 'tapir OR okapi')).toEqual(['a#0', 'b#0']);
    await stores.release(project.path);
    expect(scalarOf(project.database, 'SELECT count(*) FROM chunks')).toBe(2);
    verifyDatabase(project.database);
  });

  it('is opened again if another log is in the place of its own', async () => {
    const project = await indexed();
    await stores.open(project.path);
    renameSync(`${project.database}-wal`, project.at('former-wal'));
    copyFileSync(project.at('former-wal'), `${project.database}-wal`);
    await add(await stores.open(project.path), 'b', 'one okapi');
    await stores.release(project.path);
    expect(scalarOf(project.database, 'SELECT count(*) FROM chunks')).toBe(2);
  });

  it('is the same after another program has analysed it', async () => {
    const project = await indexed();
    const store = await stores.open(project.path);
    execute(project.database, 'ANALYZE');
    await stores.open(project.path).catch(() => undefined);
    expect(await found({ store: await stores.open(project.path) }, 'tapir')).toEqual(['a#0']);
    expect(asides(project)).toEqual([]);
    await expect(store.chunks.stats()).rejects.toMatchObject(UNAVAILABLE);
  });

  it('is whole where it was moved to, and comes back with everything', async () => {
    const project = await indexed();
    renameSync(project.database, project.at('away.db'));
    await add(await stores.open(project.path), 'b', 'one okapi');
    verifyDatabase(project.at('away.db'));
    renameSync(project.at('away.db'), project.database);
    expect(await found({ store: await stores.open(project.path) }, 'tapir OR okapi')).toEqual([
      'a#0',
    ]);
    verifyDatabase(project.database);
  });

  it('gives way to a copy that is put in its place', async () => {
    const project = await indexed();
    const store = await stores.open(project.path);
    withDatabase(project.database, (db) => db.exec(`VACUUM INTO '${project.at('copy.db')}'`));
    await add(store, 'b', 'one okapi');
    renameSync(project.at('copy.db'), project.database);
    const again = await stores.open(project.path);
    expect(await found({ store: again }, 'tapir OR okapi')).toEqual(['a#0']);
    await add(again, 'c', 'one ibex');
    verifyDatabase(project.database);
  });

  it('is recognized as another one with the same inode if it was replaced while it was closed', async (ctx) => {
    const clock = new FixedClock();
    const own = sqliteStores({ clock, idleMs: 1000 });
    const [project, other] = [projects.make(), await indexed()];
    await stores.release(other.path);
    const store = await own.open(project.path);
    await add(store, 'a', 'one tapir');
    clock.advance(2000);
    const inode = () => statSync(project.database, { throwIfNoEntry: false })?.ino;
    const before = inode();
    await expect.poll(() => existsSync(`${project.database}-wal`)).toBe(false);
    for (let i = 0; i < 20; i += 1) {
      rmSync(project.database, { force: true });
      writeFileSync(project.database, '');
      if (inode() === before) break;
      renameSync(project.database, project.at(`spare-${i}`));
    }
    if (inode() !== before) ctx.skip();
    writeFileSync(project.database, readFileSync(other.database));
    expect(await own.open(project.path)).not.toBe(store);
    await own.close();
  });

  it('cannot be examined if its folder is locked, which stops nothing', async () => {
    const clock = new FixedClock();
    const own = sqliteStores({ clock, idleMs: 1000 });
    const project = projects.make();
    await add(await own.open(project.path), 'a', 'one tapir');
    renameSync(project.at('.knowledge'), project.at('.elsewhere'));
    writeFileSync(project.at('.knowledge'), 'a file');
    clock.advance(2000);
    await expect(own.open(project.path)).rejects.toMatchObject(UNAVAILABLE);
    rmSync(project.at('.knowledge'));
    renameSync(project.at('.elsewhere'), project.at('.knowledge'));
    expect(await found({ store: await own.open(project.path) }, 'tapir')).toEqual(['a#0']);
    await own.close();
  });
});

describe('a damaged database', () => {
  it('is set aside, and what replaces it says for every process that it needs its sources', async () => {
    const project = await indexed();
    await stores.release(project.path);
    truncateSync(project.database, 5000);
    const { chunks, upkeep, needsReindexing } = await stores.open(project.path);
    expect(await chunks.stats()).toMatchObject({ totalChunks: 0 });
    expect(needsReindexing).toBe(true);
    const others = sqliteStores();
    expect((await others.open(project.path)).needsReindexing).toBe(true);
    await upkeep.maintain('rebuild');
    await others.release(project.path);
    expect((await others.open(project.path)).needsReindexing).toBe(false);
    await others.close();
    expect(asides(project)).toHaveLength(1);
  });

  it('is noticed while it is open, by a repair too', async () => {
    const project = await indexed();
    const store = await stores.open(project.path);
    for (let i = 0; i < 50; i += 1) await add(store, `f${i}`, `text ${i} `.repeat(200));
    withDatabase(project.database, (db) => db.pragma('wal_checkpoint(TRUNCATE)'));
    await stores.release(project.path);
    overwrite(project.database, 6);
    const { upkeep } = await stores.open(project.path);
    expect(await upkeep.maintain('examine')).toMatchObject([{ code: 'damaged' }]);
    expect(asides(project)).toEqual([]);
    expect(await upkeep.maintain('repair')).toMatchObject([{ code: 'damaged', repaired: true }]);
    const again = await stores.open(project.path);
    expect(again.needsReindexing).toBe(true);
    expect(asides(project)).toHaveLength(1);
  });

  it('is not one whose process was killed: its log is kept', async () => {
    const project = await indexed();
    const crashed = projects.make();
    mkdirSync(crashed.at('.knowledge'));
    for (const suffix of ['', '-wal']) {
      copyFileSync(project.database + suffix, crashed.database + suffix);
    }
    expect(statSync(`${crashed.database}-wal`).size).toBeGreaterThan(0);
    expect(await found({ store: await stores.open(crashed.path) }, 'tapir')).toEqual(['a#0']);
    expect(asides(crashed)).toEqual([]);
  });
});

describe('other files in place of a database', () => {
  it('may be a directory, which is refused', async () => {
    const project = projects.make();
    mkdirSync(project.at('.knowledge/knowledge.db'), { recursive: true });
    await expect(stores.open(project.path)).rejects.toMatchObject(UNAVAILABLE);
  });

  it.skipIf(process.geteuid?.() === 0)('may be read if it cannot be written', async () => {
    const project = await indexed();
    await stores.release(project.path);
    chmodSync(project.at('.knowledge'), 0o500);
    const store = await stores.open(project.path);
    expect(await found({ store }, 'tapir')).toEqual(['a#0']);
    await expect(add(store, 'b', 'two')).rejects.toMatchObject(UNAVAILABLE);
    chmodSync(project.at('.knowledge'), 0o700);
  });
});

describe.skipIf(process.geteuid?.() !== 0)('on a disk without any space', () => {
  /** A file system of its own, of 1 MB. */
  async function onSmallDisk(work: (project: TempProject) => Promise<void>): Promise<void> {
    const project = projects.make();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', project.path]);
    try {
      await work(project);
    } finally {
      execFileSync('umount', ['-l', project.path]);
    }
  }

  function fill(project: TempProject): void {
    const descriptor = openSync(project.at('filler'), 'w');
    try {
      for (const size of [65_536, 4_096, 1]) {
        try {
          for (;;) writeSync(descriptor, Buffer.alloc(size));
        } catch {
          // It is full for pieces of this size.
        }
      }
    } finally {
      closeSync(descriptor);
    }
  }

  it.each(['closed', 'killed'])(
    'a search finds what a process has stored that was %s',
    async (end) => {
      await onSmallDisk(async (project) => {
        await add(await stores.open(project.path), 'a', 'one tapir');
        const files = ['', '-wal'].map(
          (suffix) => [suffix, readFileSync(project.database + suffix)] as const,
        );
        await stores.release(project.path);
        if (end === 'killed') {
          for (const [suffix, bytes] of files) writeFileSync(project.database + suffix, bytes);
          new SeenDatabases().add(project.database);
        }
        fill(project);
        const other = sqliteStores();
        const store = await other.open(project.path);
        expect(await found({ store }, 'tapir')).toEqual(['a#0']);
        expect(await store.chunks.stats()).toMatchObject({ totalChunks: 1 });
        await expect(add(store, 'b', 'two')).rejects.toMatchObject({ code: 'storage_full' });
        rmSync(project.at('filler'));
        await add(await other.open(project.path), 'b', 'one okapi');
        await other.close();
        expect(
          await found({ store: await stores.open(project.path) }, 'tapir OR okapi'),
        ).toHaveLength(2);
        await stores.release(project.path);
        verifyDatabase(project.database);
      });
    },
  );
});

describe('the full-text index', () => {
  it('is rebuilt whether it is right or not, and found to be wrong by an examination', async () => {
    const project = await indexed();
    const { upkeep } = await stores.open(project.path);
    const forget = "INSERT INTO chunks_fts(chunks_fts) VALUES ('delete-all')";
    execute(project.database, forget);
    expect(await upkeep.maintain('examine')).toMatchObject([{ code: 'index_outdated' }]);
    expect(await upkeep.maintain('repair')).toMatchObject([
      { code: 'index_outdated', repaired: true },
    ]);
    expect(await upkeep.maintain('examine')).toEqual([]);
    execute(project.database, forget);
    await upkeep.maintain('rebuild');
    expect(await found({ store: await stores.open(project.path) }, 'tapir')).toEqual(['a#0']);
    expect(existsSync(`${project.database}.new`)).toBe(false);
  });

  it('of a large store is rebuilt and examined without blocking the event loop', async () => {
    const project = projects.make();
    const store = await stores.open(project.path);
    for (let i = 0; i < 21; i += 1) {
      const texts = Array.from({ length: 100 }, (_, n) => `tapir ${n} of ${i}. `.repeat(400));
      await add(store, `f${i}`, ...texts);
    }
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await store.upkeep.maintain('rebuild');
    expect(await store.upkeep.maintain('examine')).toEqual([]);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
    expect(await found({ store }, 'tapir')).toHaveLength(100);
  });
});

/** Of pages of 4 kB. */
function overwrite(file: string, page: number): void {
  withDatabase(file, (db) => db.pragma('journal_mode = DELETE'));
  const image = Buffer.alloc(4096, 0xa5);
  const fd = openSync(file, 'r+');
  writeSync(fd, image, 0, image.length, (page - 1) * 4096);
  closeSync(fd);
}
