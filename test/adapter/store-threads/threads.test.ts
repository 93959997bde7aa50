import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ThreadedProjectStores,
  type ThreadedProjectStoresOptions,
} from '../../../src/adapters/store-threads/threaded-project-stores.js';
import type { ProjectStore } from '../../../src/ports/driven/project-stores.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { vector } from '../../support/chunks.js';
import { writeStoreWorker } from '../../support/store-worker.js';

const OVERLOADED = { status: 'rejected', reason: { code: 'overloaded' } };
const UNAVAILABLE = { status: 'rejected', reason: { code: 'store_unavailable' } };
const ANSWERED = { status: 'fulfilled', value: expect.any(Number) };

let root = '';
let workerFile: URL;
const made: ThreadedProjectStores[] = [];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'store-threads-'));
  workerFile = await writeStoreWorker(root);
});
afterEach(async () => {
  await Promise.all(made.splice(0).map((stores) => stores.close()));
  rmSync(root, { recursive: true });
});

describe('a reader that is stuck in one statement', () => {
  it('is replaced: its call fails, and every other is answered', async () => {
    const store = await storeWith({ readers: 1, statementLimitMs: 300 });
    const outcomes = await Promise.allSettled(
      ['stuck', 'a', 'b', 'c', 'stuck', 'd'].map((what) => read(store, what)),
    );
    expect(outcomes).toMatchObject([
      OVERLOADED,
      ANSWERED,
      ANSWERED,
      ANSWERED,
      OVERLOADED,
      ANSWERED,
    ]);
  });

  it('does not keep the calls of other readers waiting', async () => {
    const store = await storeWith({ readers: 2, statementLimitMs: 1_500 });
    const stuck = Promise.allSettled([read(store, 'stuck')]);
    const start = performance.now();
    await Promise.all(['a', 'b', 'c'].map((what) => read(store, what)));
    expect(performance.now() - start).toBeLessThan(1_500);
    expect(await stuck).toMatchObject([OVERLOADED]);
  });
});

describe('a thread that ends', () => {
  it('is replaced, and what it was reading is read again', async () => {
    const store = await storeWith({ readers: 1 });
    const outcomes = await Promise.allSettled(
      ['a', 'crash once', 'b'].map((what) => read(store, what)),
    );
    expect(outcomes).toMatchObject([ANSWERED, ANSWERED, ANSWERED]);
  });

  it('fails the call that ends every reader, and no other', async () => {
    const store = await storeWith({ readers: 1 });
    expect(await Promise.allSettled([read(store, 'crash')])).toMatchObject([UNAVAILABLE]);
    expect(await Promise.allSettled([read(store, 'a')])).toMatchObject([ANSWERED]);
  });

  it('does not write anything twice', async () => {
    const store = await storeWith({ readers: 1 });
    expect(await Promise.allSettled([write(store, 'crash once')])).toMatchObject([UNAVAILABLE]);
    expect(await Promise.allSettled([write(store, 'a')])).toMatchObject([ANSWERED]);
  });
});

describe('more calls than can wait', () => {
  it('are refused as overload, and the others are answered', async () => {
    const store = await storeWith({ readers: 1, maxWaiting: 2, statementLimitMs: 300 });
    const outcomes = await Promise.allSettled(
      ['stuck', 'a', 'b', 'c', 'd'].map((what) => read(store, what)),
    );
    expect(outcomes).toMatchObject([OVERLOADED, ANSWERED, ANSWERED, OVERLOADED, OVERLOADED]);
  });

  it('are counted while they wait', async () => {
    const stores = storesWith({ readers: 1, statementLimitMs: 300 });
    const store = await stores.open(project('p'));
    const calls = Promise.allSettled(['stuck', 'a', 'b'].map((what) => read(store, what)));
    expect(stores.waitingCalls()).toBe(2);
    await calls;
    expect(stores.waitingCalls()).toBe(0);
  });

  it('are not counted while they wait for something else', async () => {
    const store = await storeWith({ readers: 1, maxWaiting: 1 });
    for (let i = 0; i < 5; i += 1) {
      read(store, 'wait').catch(() => {});
      expect(await read(store, 'a')).toEqual(expect.any(Number));
    }
    made.length = 0; // These calls are never answered, so that closing would wait for ever.
  });
});

describe('the threads of a process', () => {
  it('are as many as set, for any number of projects', async () => {
    const stores = storesWith({ readers: 2 });
    const readers = new Set<unknown>();
    for (let number = 0; number < 12; number += 1) {
      const store = await stores.open(project(`p${number}`));
      readers.add(await read(store, 'a'));
    }
    expect(readers.size).toBe(2);
  });
});

describe('what crosses threads', () => {
  it('keeps the message of an error that has no code of ours', async () => {
    const store = await storeWith({ readers: 1 });
    await expect(read(store, 'fail')).rejects.toThrow('It failed.');
  });

  it('is a long list as it was, although it comes in parts', async () => {
    const store = await storeWith({ readers: 1 });
    const lists = await Promise.all([
      read(store, 'list'),
      read(store, 'list'),
      write(store, 'list'),
    ]);
    const list = Array.from({ length: 2500 }, (_, i) => ['list', i]);
    expect(lists).toEqual([list, list, list]);
  });

  it('leaves vectors with their owner', async () => {
    const store = await storeWith({ readers: 1 });
    const owned = vector(3);
    const first = owned[0];
    expect(await store.vectors.put([{ chunkId: 'a', texts: ['a'], vector: owned }])).toBe(first);
    expect(owned[0]).toBe(first);
  });
});

function storesWith(options: Partial<ThreadedProjectStoresOptions>): ThreadedProjectStores {
  const stores = new ThreadedProjectStores({
    workerFile,
    settings: {},
    readers: 1,
    locationOf: (projectPath) => join(projectPath, 'store'),
    clock: new FixedClock(),
    logger: new SilentLogger(),
    stopWaiting: new AbortController().signal,
    ...options,
  });
  made.push(stores);
  return stores;
}

function storeWith(options: Partial<ThreadedProjectStoresOptions>): Promise<ProjectStore> {
  return storesWith(options).open(project('project'));
}

function project(name: string): string {
  const path = join(root, name);
  mkdirSync(path);
  return path;
}

/** The number of the thread that answered. */
function read(store: ProjectStore, what: string): Promise<unknown> {
  return store.chunks.getChunks([what]);
}

function write(store: ProjectStore, what: string): Promise<unknown> {
  return store.retrievals.record([what], new Date(0));
}
