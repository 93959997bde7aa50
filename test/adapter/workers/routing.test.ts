import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../../src/adapters/workers/fair-queue.js';
import { OwnedProjects } from '../../../src/adapters/workers/owned-projects.js';
import { ProjectBlame } from '../../../src/adapters/workers/project-blame.js';
import { type RoutedCall, workerFor } from '../../../src/adapters/workers/routing.js';
import type { WorkerProcess } from '../../../src/adapters/workers/worker-process.js';
import { FixedClock } from '../../fakes/fixed-clock.js';

const READ: RoutedCall = { kind: 'read', project: '/p' };
const WRITE: RoutedCall = { kind: 'write', project: '/p' };
const UPKEEP: RoutedCall = { kind: 'upkeep', project: '/p' };

describe('the worker for a call', () => {
  it('is the owner until it knows the project', () => {
    const workers = [worker('owner'), worker('reader')];
    expect(roleFor(READ, workers, { known: [] })).toBe('owner');
    expect(roleFor(WRITE, workers)).toBe('owner');
  });

  it('is the one with least to do for reads, and a reader if they are equal', () => {
    expect(roleFor(READ, [worker('owner'), worker('reader')])).toBe('reader');
    const busy = [worker('owner'), worker('reader', { calls: [READ] })];
    expect(roleFor(READ, busy)).toBe('owner');
    const working = [worker('owner', { utilization: 0.9 }), worker('reader', { calls: [READ] })];
    expect(roleFor(READ, working)).toBe('reader');
  });

  it('is a reader for everything but upkeep while the owner is busy with upkeep of another project', () => {
    const workers = [
      worker('owner', { calls: [{ ...UPKEEP, project: '/other' }] }),
      worker('reader'),
    ];
    expect(roleFor(WRITE, workers)).toBe('reader');
    expect(roleFor(READ, workers)).toBe('reader');
    expect(roleFor(READ, workers, { known: [] })).toBe('reader');
    expect(roleFor(UPKEEP, workers)).toBe('owner');
  });

  it('is the owner in spite of its upkeep where no reader responds', () => {
    const owner = worker('owner', { calls: [{ ...UPKEEP, project: '/other' }] });
    const silent = worker('reader');
    for (const call of [READ, WRITE, UPKEEP]) {
      expect(roleFor(call, [owner])).toBe('owner');
      expect(roleFor(call, [owner, silent], { silent: [silent] })).toBe('owner');
    }
  });

  it('is the owner, whatever it does, for what only that can answer', () => {
    const owner = worker('owner', { calls: [{ ...UPKEEP, project: '/other' }] });
    expect(roleFor({ ...READ, kind: 'background' }, [owner, worker('reader')])).toBe('owner');
  });

  it('is another while upkeep of one project fills the owner, which takes four of them', () => {
    const other = { ...UPKEEP, project: '/other' };
    const four = [worker('owner', { calls: [other, other, other, other] }), worker('reader')];
    expect([roleFor(other, four), roleFor(UPKEEP, four)]).toEqual([undefined, 'owner']);
    const full = [worker('owner', { calls: Array(16).fill(other) }), worker('reader')];
    expect([roleFor(WRITE, full), roleFor(READ, full, { known: [] })]).toEqual([
      'reader',
      'reader',
    ]);
  });

  it('is the owner for writes while it is busy with upkeep of the same project', () => {
    expect(roleFor(WRITE, [worker('owner', { calls: [UPKEEP] }), worker('reader')])).toBe('owner');
  });

  it('is a reader while the owner is silent or not ready', () => {
    const silent = worker('owner');
    const workers = [silent, worker('reader')];
    expect(roleFor(WRITE, workers, { silent: [silent] })).toBe('reader');
    const starting = [worker('owner', { isReady: false }), worker('reader')];
    expect(roleFor(READ, starting, { known: [] })).toBe('reader');
    expect(roleFor(UPKEEP, starting)).toBeUndefined();
  });

  it('is none while a silent worker has a call of the project, but others go on', () => {
    const silent = worker('reader', { calls: [READ] });
    const workers = [worker('owner'), silent];
    expect(roleFor(READ, workers, { silent: [silent] })).toBeUndefined();
    expect(roleFor({ ...READ, project: '/q' }, workers, { silent: [silent] })).toBe('owner');
  });

  it('is not the last one that responds for a project whose calls have not come to an end yet', () => {
    const silent = worker('owner');
    const last = [silent, worker('reader')];
    expect(roleFor(READ, last, { silent: [silent], harmless: [] })).toBeUndefined();
    expect(roleFor(READ, last, { silent: [silent] })).toBe('reader');
    const two = [...last, worker('reader')];
    expect(roleFor(READ, two, { silent: [silent], harmless: [] })).toBe('reader');
    expect(roleFor(READ, [worker('owner')], { harmless: [] })).toBe('owner');
  });

  it('is none while a project has four reads in each worker, or a worker has 16 calls', () => {
    const four = Array.from({ length: 4 }, () => READ);
    const workers = [worker('owner', { calls: four }), worker('reader', { calls: four })];
    expect(roleFor(READ, workers)).toBeUndefined();
    expect(roleFor({ ...READ, project: '/q' }, workers, { known: ['/q'] })).toBeDefined();
    const sixteen = Array.from({ length: 16 }, () => WRITE);
    expect(roleFor(WRITE, [worker('owner', { calls: sixteen }), worker('reader')])).toBeUndefined();
  });
});

describe('a fair queue', () => {
  it('lets lines take turns, however long they are', () => {
    const queue = new FairQueue<string>((item) => item.slice(0, 1));
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1']) queue.add(item, 'last');
    queue.add('a0', 'first');
    const taken = Array.from({ length: 6 }, () => queue.take(() => 'place')?.item);
    expect(taken).toEqual(['a0', 'b1', 'c1', 'a1', 'a2', 'a3']);
    expect(queue.size).toBe(0);
  });

  it('passes over lines whose first item has no place, and keeps their order', () => {
    const queue = new FairQueue<string>((item) => item.slice(0, 1));
    for (const item of ['a1', 'a2', 'b1']) queue.add(item, 'last');
    expect(queue.take((item) => (item === 'a1' ? undefined : 'x'))?.item).toBe('b1');
    expect(queue.take((item) => (item === 'a1' ? undefined : 'x'))).toBeUndefined();
    expect(queue.lengthOf('a')).toBe(2);
    expect(queue.drain()).toEqual(['a1', 'a2']);
  });
});

describe('a project that ended workers', () => {
  it('is barred after three within ten minutes, under whichever path it is called, until these have passed', () => {
    const clock = new FixedClock();
    const blame = new ProjectBlame(clock);
    blame.know('/link', '/p');
    blame.ended('/p');
    blame.ended('/p');
    expect([blame.isSuspect('/link'), blame.isBarred('/link')]).toEqual([true, false]);
    blame.ended('/p');
    expect([blame.isBarred('/link'), blame.isBarred('/q')]).toEqual([true, false]);
    clock.advance(10 * 60_000);
    expect(blame.isBarred('/p')).toBe(false);
  });
});

describe('a project that was answered', () => {
  it('has done no harm until it ends a worker', () => {
    const blame = new ProjectBlame(new FixedClock());
    blame.know('/link', '/p');
    expect(blame.isHarmless('/link')).toBe(false);
    blame.answered('/link');
    expect(blame.isHarmless('/link')).toBe(true);
    blame.ended('/p');
    expect(blame.isHarmless('/link')).toBe(false);
  });
});

describe('a project of the owner', () => {
  it('is used there again after a minute', () => {
    const clock = new FixedClock();
    const owned = new OwnedProjects(clock);
    owned.note('/p');
    expect(owned.recent()).toEqual(['/p']);
    clock.advance(60_000);
    expect([owned.isRecent('/p'), owned.recent()]).toEqual([false, []]);
  });
});

interface WorkerState {
  readonly calls?: readonly RoutedCall[];
  readonly utilization?: number;
  readonly isReady?: boolean;
}

function worker(
  role: WorkerProcess['role'],
  { calls = [], utilization = 0, isReady = true }: WorkerState = {},
): WorkerProcess {
  const callCountOf = (project: string) => calls.filter((call) => call.project === project).length;
  const state = { role, calls, callCount: calls.length, callCountOf, utilization, isReady };
  return state as unknown as WorkerProcess;
}

function roleFor(
  call: RoutedCall,
  workers: readonly WorkerProcess[],
  {
    known = ['/p'],
    silent = [],
    harmless = ['/p', '/q', '/other'],
  }: {
    readonly known?: readonly string[];
    readonly silent?: readonly WorkerProcess[];
    readonly harmless?: readonly string[];
  } = {},
): string | undefined {
  const isKnownToOwner = (project: string) => known.includes(project);
  const isHarmless = (project: string) => harmless.includes(project);
  return workerFor(call, { workers, silent, isKnownToOwner, isHarmless })?.role;
}
