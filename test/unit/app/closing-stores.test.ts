import { beforeEach, describe, expect, it } from 'vitest';
import { ClosingStores } from '../../../src/app/projects/closing-stores.js';
import { IdleProjects } from '../../../src/app/projects/idle-projects.js';
import { CountedStores } from '../../fakes/counted-stores.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { document } from '../../support/chunks.js';
import { settle } from '../../support/enrichment-world.js';

const IDLE_MS = 300_000;

let counted: CountedStores;
let clock: FixedClock;
let idle: IdleProjects;
let logger: SilentLogger;
let stores: ClosingStores;
let reported: string[];

beforeEach(() => {
  counted = new CountedStores();
  clock = new FixedClock();
  idle = new IdleProjects();
  logger = new SilentLogger();
  reported = [];
  idle.listen(async (path) => void reported.push(path));
  stores = new ClosingStores(counted, { clock, logger, idle, idleMs: IDLE_MS, maxOpen: 3 });
});

describe('a store that nobody uses', () => {
  it('is closed after the time that is set, and not before', async () => {
    await stores.open('/a');
    await pass(IDLE_MS - 1);
    expect(counted.openPaths).toEqual(['/a']);
    await pass(1);
    expect(counted.openPaths).toEqual([]);
    expect(reported).toEqual(['/a']);
    expect(clock.sleepers).toBe(0);
  });

  it('is the same for its users when it is opened again', async () => {
    const store = await stores.open('/a');
    await store.chunks.replaceSource('a.md', async () => document('a.md', ['copper']));
    await pass(IDLE_MS);
    expect((await store.chunks.stats()).totalChunks).toBe(1);
    expect(counted.openings).toEqual(['/a', '/a']);
    expect(await stores.open('/a')).toBe(store);
    expect(await stores.find('/a')).toBe(store);
  });

  it('is closed again when it was used in between', async () => {
    const store = await stores.open('/a');
    await pass(IDLE_MS - 1);
    await store.chunks.stats();
    await pass(IDLE_MS - 1);
    expect(counted.openPaths).toEqual(['/a']);
    await pass(1);
    expect(counted.openPaths).toEqual([]);
  });

  it('is not created where its directory was removed meanwhile', async () => {
    const store = await stores.open('/a');
    await pass(IDLE_MS);
    counted.remove('/a');
    await expect(store.chunks.stats()).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(counted.openPaths).toEqual([]);
  });

  it('is closed though what else is kept for its project could not be given up', async () => {
    idle.listen(async () => Promise.reject(new Error('Busy.')));
    await stores.open('/a');
    await pass(IDLE_MS);
    expect(counted.openPaths).toEqual([]);
    expect(logger.messages('warn')).toEqual([
      'The background work of an idle project could not be stopped.',
    ]);
  });
});

describe('a store with a call under way', () => {
  it('stays open, and is closed when it was idle after the call', async () => {
    const { store, finish } = await withCallUnderWay('/a');
    await pass(3 * IDLE_MS);
    expect(counted.openPaths).toEqual(['/a']);
    finish();
    expect((await store).totalChunks).toBe(1);
    await pass(IDLE_MS);
    await pass(IDLE_MS);
    expect(counted.openPaths).toEqual([]);
  });

  it('stays open, though too many others are opened', async () => {
    const { store, finish } = await withCallUnderWay('/a');
    for (const path of ['/b', '/c', '/d', '/e']) await stores.open(path);
    expect(counted.openPaths).toEqual(['/a', '/d', '/e']);
    finish();
    expect((await store).totalChunks).toBe(1);
  });
});

describe('too many open stores', () => {
  it('are closed, the least recently used first', async () => {
    const first = await stores.open('/a');
    for (const path of ['/b', '/c']) await stores.open(path);
    await first.chunks.stats();
    await stores.open('/d');
    expect(counted.openPaths).toEqual(['/a', '/c', '/d']);
  });

  it('can be used by all who hold them', async () => {
    const paths = Array.from({ length: 30 }, (_, number) => `/${number}`);
    const all = await Promise.all(paths.map((path) => stores.open(path)));
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(all.map(({ chunks }) => chunks.stats()));
      await settle(5);
      for (const { chunks } of all) await chunks.stats();
      expect(counted.openPaths.length).toBeLessThanOrEqual(3);
    }
  });

  it('are given up one by one after a while', async () => {
    for (const path of ['/a', '/b', '/c', '/d', '/e']) await stores.open(path);
    await pass(IDLE_MS);
    expect(reported).toEqual(['/a', '/b', '/c', '/d', '/e']);
    expect(counted.openPaths).toEqual([]);
  });
});

describe('a store that was replaced', () => {
  it('is another one for those who open it', async () => {
    const store = await stores.open('/a');
    counted.replace('/a');
    const replaced = await stores.open('/a');
    expect(replaced).not.toBe(store);
    expect(await stores.open('/a')).toBe(replaced);
  });
});

it('stops watching when it is closed', async () => {
  await stores.open('/a');
  await stores.close();
  expect(clock.sleepers).toBe(0);
});

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await settle(10);
}

/** A store that is in the middle of reading a source, and its stats after that. */
async function withCallUnderWay(path: string) {
  const store = await stores.open(path);
  let finish = () => {};
  const reading = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const writing = store.chunks.replaceSource('a.md', async () => {
    await reading;
    return document('a.md', ['copper']);
  });
  return { store: writing.then(() => store.chunks.stats()), finish };
}
