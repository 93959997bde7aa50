import { mkdirSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ThreadedProjectStores } from '../../../src/adapters/store-threads/threaded-project-stores.js';
import type { Watched } from '../../../src/adapters/store-threads/watch-cell.js';
import type { ProjectStore, ReleasableStores } from '../../../src/ports/driven/project-stores.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { writeStoreWorker } from '../../support/store-worker.js';

const HERE = 'this thread';
const A_THREAD = expect.any(Number);

let root = '';
let stores: ThreadedProjectStores;
let store: ProjectStore;
/** Projects whose nearby stores were closed. */
const closed: string[] = [];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'nearby-stores-'));
  mkdirSync(join(root, 'project'));
  closed.length = 0;
  stores = new ThreadedProjectStores({
    workerFile: await writeStoreWorker(root),
    makeNearby: nearbyStores,
    settings: {},
    readers: 1,
    locationOf: (path) => join(path, 'store'),
    clock: new FixedClock(),
    logger: new SilentLogger(),
    stopWaiting: new AbortController().signal,
  });
  store = await stores.open(join(root, 'project'));
  while ((await search('a')) !== HERE); // The first ones are made in threads.
});
afterEach(async () => {
  await stores.close();
  rmSync(root, { recursive: true });
});

describe('a short call for a small store', () => {
  it('is made in this thread, whether it reads or counts', async () => {
    expect(await search('a')).toBe(HERE);
    expect(await count('a')).toBe(HERE);
  });

  it('is made in a thread where it failed in this one, as the next ones are', async () => {
    expect(await search('fail here')).toEqual(A_THREAD);
    expect(await search('a')).toEqual(A_THREAD);
  });

  it('is made in a thread after one that took long in this thread', async () => {
    expect(await search('take long')).toBe(HERE);
    await nextTurn();
    expect(await search('a')).toEqual(A_THREAD);
  });

  it('is made in a thread once others took some time in the same turn of the event loop', async () => {
    expect(await search('take a while')).toBe(HERE);
    expect(await search('a')).toEqual(A_THREAD);
    await nextTurn();
    expect(await search('a')).toBe(HERE);
  });

  it('is made in a thread while eight others are made in this one', async () => {
    const places = await Promise.all(Array.from({ length: 9 }, () => search('a')));
    expect(places).toEqual([...Array.from({ length: 8 }, () => HERE), A_THREAD]);
  });

  it('is made in a thread while the thread that writes is writing', async () => {
    const writing = store.vectors.put([{ chunkId: 'a', vector: new Float32Array(1), texts: [] }]);
    expect(await Promise.all([count('a'), search('a')])).toEqual([A_THREAD, A_THREAD]);
    await writing;
    expect(await Promise.all([count('a'), search('a')])).toEqual([HERE, HERE]);
  });

  it('is made in a thread now and then if it counts, because only that one moves the log into the file', async () => {
    const places: unknown[] = [];
    for (let i = 0; i < 64; i += 1) places.push(await count('a'));
    expect(places.filter((place) => place !== HERE)).toEqual([A_THREAD, A_THREAD]);
  });
});

describe('a store that was not searched yet', () => {
  it('is left to the threads until a search there was quick', async () => {
    mkdirSync(join(root, 'other'));
    const other = await stores.open(join(root, 'other'));
    const find = (what: string) =>
      other.keywords.search([what] as never, { sourceTypes: 'all' }, 1) as Promise<unknown>;
    expect(await other.retrievals.record(['a'], new Date(0))).toEqual(A_THREAD);
    for (const what of ['take long', 'take long']) expect(await find(what)).toEqual(A_THREAD);
    while ((await find('a')) !== HERE);
    expect(await other.retrievals.record(['a'], new Date(0))).toBe(HERE);
  });
});

describe('other calls', () => {
  it('are made in threads: those that may take long', async () => {
    expect(await store.chunks.getChunks(['a'])).toEqual(A_THREAD);
  });

  it('are made in threads: those for a store of more than 6 MiB', async () => {
    truncateSync(join(root, 'project/store'), 6 * 2 ** 20 + 1);
    expect(await search('a')).toEqual(A_THREAD);
  });
});

describe('a store that is released', () => {
  it('is closed in this thread, too', async () => {
    await search('a');
    await stores.release(join(root, 'project'));
    expect(closed).toEqual([join(root, 'project')]);
  });
});

/** Stores that say where they are; `fail here`, `take a while` and `take long` do so. */
function nearbyStores(watched: Watched): ReleasableStores {
  let opened = '';
  const doWhat = async ([what]: readonly string[]): Promise<unknown> => {
    if (what === 'fail here') throw new Error('It failed.');
    if (what === 'take a while') watched(() => busyFor(6));
    if (what === 'take long') watched(() => busyFor(101));
    return HERE;
  };
  return {
    open: async (path) => {
      opened = path;
      return { keywords: { search: doWhat }, retrievals: { record: doWhat } } as never;
    },
    find: () => Promise.reject(new Error('Nobody looks for nearby stores.')),
    locationOf: (path) => join(path, 'store'),
    release: async () => {},
    close: async () => void closed.push(opened),
  };
}

function busyFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function search(what: string): Promise<unknown> {
  return store.keywords.search([what] as never, { sourceTypes: 'all' }, 1);
}

function count(what: string): Promise<unknown> {
  return store.retrievals.record([what], new Date(0));
}
