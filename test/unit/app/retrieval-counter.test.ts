import { beforeEach, describe, expect, it } from 'vitest';
import type { Project } from '../../../src/app/project.js';
import { RetrievalCounter } from '../../../src/app/search/retrieval-counter.js';
import { KnowledgeError, StoreLocked } from '../../../src/domain/errors.js';
import type { SourceRepository } from '../../../src/ports/source-repository.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { turnOver, until } from '../../support/enrichment-world.js';
import { makeRetrievalWorld } from '../../support/retrieval-world.js';

const LOCKED = new StoreLocked();

let clock: FixedClock;
let logger: SilentLogger;
let counter: RetrievalCounter;
let project: Project;
/** What `record` does: nothing while it is pending, or what it fails with. */
let recording: () => Promise<void>;
let recorded: { ids: readonly string[]; at: string }[];

beforeEach(async () => {
  [clock, logger] = [new FixedClock(), new SilentLogger()];
  counter = new RetrievalCounter({ clock, logger });
  recording = async () => {};
  recorded = [];
  const { store, project: opened } = await makeRetrievalWorld();
  const counting: Pick<SourceRepository, 'record'> = {
    record: async (ids, at) => {
      await recording();
      recorded.push({ ids: [...ids], at: at.toISOString() });
    },
  };
  const chunks = Object.assign(Object.create(store.chunks), counting);
  project = { ...opened, store: { ...store, chunks } };
});

describe('RetrievalCounter', () => {
  it('has written the retrievals when the search continues', async () => {
    await counter.count(project, ['a', 'b']);
    await counter.count(project, []);
    expect(recorded).toEqual([{ ids: ['a', 'b'], at: '2026-01-01T00:00:00.000Z' }]);
    expect(clock.sleepers).toBe(0);
  });

  it('lets the search continue after 50 ms, and writes later', async () => {
    const lock = held();
    const counting = settled(counter.count(project, ['a']));
    clock.advance(49);
    await turnOver();
    expect(counting.isSettled()).toBe(false);
    clock.advance(1);
    await until(counting.isSettled);
    lock.release();
    await until(() => recorded.length === 1);
  });

  it('gives retrievals to the store as they come, so that it can write them at once, each with its time', async () => {
    const lock = held();
    for (const ids of [['a'], ['a', 'b'], ['a']]) {
      void counter.count(project, ids);
      clock.advance(1000);
      await turnOver();
    }
    expect(lock.waiting()).toBe(3);
    lock.release();
    await until(() => recorded.length === 3);
    expect(recorded).toEqual([
      { ids: ['a'], at: '2026-01-01T00:00:00.000Z' },
      { ids: ['a', 'b'], at: '2026-01-01T00:00:01.000Z' },
      { ids: ['a'], at: '2026-01-01T00:00:02.000Z' },
    ]);
  });

  it('tries again for as long as the store is locked, and loses nothing', async () => {
    recording = () => Promise.reject(LOCKED);
    await countedLater(['a']);
    for (let minute = 0; minute < 60; minute += 1) {
      clock.advance(60_000);
      await turnOver();
    }
    void counter.count(project, ['b']);
    await turnOver();
    recording = async () => {};
    clock.advance(1000);
    await until(() => recorded.length === 2);
    expect(recorded.map(({ ids }) => ids)).toEqual([['a'], ['b']]);
    expect(logger.entries).toEqual([]);
  });

  it('drops retrievals that cannot be written, with a warning', async () => {
    recording = () => Promise.reject(new KnowledgeError('storage_full', 'The disk is full.'));
    await counter.count(project, ['a']);
    await until(() => logger.entries.length === 1);
    expect(logger.entries).toEqual([warningOf('The disk is full.')]);
    recording = async () => {};
    await counter.count(project, ['b']);
    expect(recorded.map(({ ids }) => ids)).toEqual([['b']]);
  });

  it('keeps at most 100,000 retrievals', async () => {
    recording = () => Promise.reject(LOCKED);
    await countedLater(Array(99_999).fill('a'));
    await counter.count(project, ['b', 'c']);
    expect(logger.entries).toEqual([warningOf('Too many retrievals are waiting to be counted.')]);
  });

  it('writes what waits when it is stopped, if the lock is released within 2 s', async () => {
    recording = () => Promise.reject(LOCKED);
    await countedLater(['a']);
    const stopping = settled(counter.stop());
    clock.advance(1000);
    await turnOver();
    expect(stopping.isSettled()).toBe(false);
    recording = async () => {};
    clock.advance(900);
    await until(stopping.isSettled);
    expect(recorded.map(({ ids }) => ids)).toEqual([['a']]);
  });

  it('stops after 2 s even if the store stays locked', async () => {
    recording = () => Promise.reject(LOCKED);
    await countedLater(['a']);
    const stopping = settled(counter.stop());
    for (let step = 0; step < 10; step += 1) {
      await turnOver();
      clock.advance(250);
    }
    await until(stopping.isSettled);
    expect(logger.entries).toEqual([warningOf(LOCKED.message)]);
  });
});

/** Counts what cannot be written within 50 ms. */
async function countedLater(chunkIds: readonly string[]): Promise<void> {
  const counting = counter.count(project, chunkIds);
  await turnOver();
  clock.advance(50);
  await counting;
}

/** Lets writes wait until the lock is released. */
function held() {
  let release = () => {};
  const free = new Promise<void>((resolve) => {
    release = resolve;
  });
  let waiting = 0;
  recording = () => {
    waiting += 1;
    return free;
  };
  return { release, waiting: () => waiting };
}

function settled(work: Promise<void>) {
  let isSettled = false;
  void work.finally(() => {
    isSettled = true;
  });
  return { isSettled: () => isSettled };
}

function warningOf(reason: string) {
  const message = 'Retrievals could not be counted; the search was not affected.';
  return { level: 'warn', message, fields: { reason } };
}
