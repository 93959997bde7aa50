import { describe, expect, it } from 'vitest';
import { KnownProjects } from '../../../src/adapters/workers/known-projects.js';
import {
  type RoutedCall,
  type RoutedWorker,
  workerFor,
} from '../../../src/adapters/workers/routing.js';
import { FixedClock } from '../../fakes/fixed-clock.js';

const READ: RoutedCall = { kind: 'read', project: '/p' };
const WRITE: RoutedCall = { kind: 'write', project: '/p' };
const UPKEEP: RoutedCall = { kind: 'upkeep', project: '/p' };
const OTHER_UPKEEP: RoutedCall = { kind: 'upkeep', project: '/other' };

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
  });

  it('is a reader for upkeep, and then another for everything else of other projects', () => {
    const workers = [worker('owner'), worker('reader', { calls: [OTHER_UPKEEP] })];
    expect(roleFor(UPKEEP, workers)).toBe('reader');
    expect([WRITE, READ].map((call) => roleFor(call, workers))).toEqual(['owner', 'owner']);
    const owner = worker('owner', { calls: [OTHER_UPKEEP] });
    expect(roleFor(READ, [owner, worker('reader')], { known: [] })).toBe('reader');
  });

  it('is the owner, whatever it does, where no reader responds', () => {
    const owner = worker('owner', { calls: [OTHER_UPKEEP] });
    for (const call of [READ, WRITE, UPKEEP]) {
      expect(roleFor(call, [owner])).toBe('owner');
      expect(roleFor(call, [owner, worker('reader', { isSilent: true })])).toBe('owner');
    }
  });

  it('is the owner for writes', () => {
    expect(roleFor(WRITE, [worker('owner'), worker('reader')])).toBe('owner');
  });

  it('is a reader while the owner is silent or not ready', () => {
    const silent = [worker('owner', { isSilent: true }), worker('reader')];
    expect(roleFor(WRITE, silent)).toBe('reader');
    const starting = [worker('owner', { isReady: false }), worker('reader')];
    expect(roleFor(READ, starting, { known: [] })).toBe('reader');
  });

  it('is none while a silent worker has a call of the project, but others go on', () => {
    const workers = [worker('owner'), worker('reader', { calls: [READ], isSilent: true })];
    expect(roleFor(READ, workers)).toBeUndefined();
    expect(roleFor({ ...READ, project: '/q' }, workers)).toBe('owner');
  });

  it('is not the last one that responds for a project whose calls have not come to an end yet', () => {
    const last = [worker('owner', { isSilent: true }), worker('reader')];
    expect(roleFor(READ, last, { harmless: [] })).toBeUndefined();
    expect(roleFor(READ, last)).toBe('reader');
    expect(roleFor(READ, [...last, worker('reader')], { harmless: [] })).toBe('reader');
    expect(roleFor(READ, [worker('owner')], { harmless: [] })).toBe('owner');
  });

  it('is none while a project has four reads in each worker, but its writes go on, and others', () => {
    const four = [READ, READ, READ, READ];
    const workers = [worker('owner', { calls: four }), worker('reader', { calls: four })];
    expect(roleFor(READ, workers)).toBeUndefined();
    expect(roleFor(WRITE, workers)).toBe('owner');
    expect(roleFor({ ...READ, project: '/q' }, workers, { known: ['/q'] })).toBe('reader');
  });
});

describe('a project that ended workers', () => {
  it('is barred after three within ten minutes, under whichever path it is called, until these have passed', () => {
    const clock = new FixedClock();
    const projects = new KnownProjects(clock);
    projects.know('/link', '/p');
    projects.endedWorker('/p');
    projects.endedWorker('/p');
    expect(projects.isBarred('/link')).toBe(false);
    projects.endedWorker('/p');
    expect([projects.isBarred('/link'), projects.isBarred('/q')]).toEqual([true, false]);
    clock.advance(10 * 60_000);
    expect(projects.isBarred('/p')).toBe(false);
  });
});

describe('a project that was answered', () => {
  it('has done no harm until it ends a worker', () => {
    const projects = new KnownProjects(new FixedClock());
    projects.know('/link', '/p');
    expect(projects.isHarmless('/link')).toBe(false);
    projects.answered('/link');
    expect(projects.isHarmless('/p')).toBe(true);
    projects.endedWorker('/p');
    expect(projects.isHarmless('/link')).toBe(false);
  });
});

describe('a project of the owner', () => {
  it('is used there again after a minute', () => {
    const clock = new FixedClock();
    const projects = new KnownProjects(clock);
    projects.owned('/p');
    expect([projects.isOwned('/p'), projects.allOwned()]).toEqual([true, ['/p']]);
    clock.advance(60_000);
    expect([projects.isOwned('/p'), projects.allOwned()]).toEqual([false, []]);
  });
});

interface WorkerState {
  readonly calls?: readonly RoutedCall[];
  readonly isReady?: boolean;
  readonly isSilent?: boolean;
}

function worker(
  role: RoutedWorker['role'],
  { calls = [], isReady = true, isSilent = false }: WorkerState = {},
): RoutedWorker {
  // Each call is a thing of its own, as in a worker.
  return { role, calls: new Set(calls.map((call) => ({ ...call }))), isReady, isSilent };
}

function roleFor(
  call: RoutedCall,
  workers: readonly RoutedWorker[],
  {
    known = ['/p'],
    harmless = ['/p', '/q', '/other'],
  }: { readonly known?: readonly string[]; readonly harmless?: readonly string[] } = {},
): string | undefined {
  const isKnownToOwner = (project: string) => known.includes(project);
  const isHarmless = (project: string) => harmless.includes(project);
  return workerFor(call, { workers, isKnownToOwner, isHarmless })?.role;
}
