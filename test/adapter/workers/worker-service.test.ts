import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WorkerService } from '../../../src/adapters/workers/worker-service.js';
import type { SilenceLimits } from '../../../src/adapters/workers/worker-set.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { ShiftedClock } from '../../fakes/shifted-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { writeScriptedWorker, writeServiceStuckInANote } from '../../support/scripted-worker.js';

const SLOW = { timeout: 60_000 };
/** A worker that gets no processor for half a second is passed over. */
const BUSY_MACHINE = { timeout: 20_000 };

let folder = '';
let clock: ShiftedClock;
let logger: SilentLogger;
let service: WorkerService;
let retried: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'workers-'));
  clock = new ShiftedClock();
  logger = new SilentLogger();
  retried = [];
  service = started({ stuckMs: 1_500, stuckInUpkeepMs: 3_000 });
  await service.ready();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await ended();
  rmSync(folder, { recursive: true });
});

describe('calls of workers', SLOW, () => {
  it('go to the owner first, and to both while there are many', async () => {
    await expect.poll(() => search('/p', 'a'), BUSY_MACHINE).toMatchObject({ role: 'owner' });
    const roles = await Promise.all(Array.from({ length: 8 }, () => search('/p', 'wait')));
    expect(new Set(roles.map(({ role }) => role))).toEqual(new Set(['owner', 'reader']));
    await expect.poll(() => note('/p', 'a'), BUSY_MACHINE).toMatchObject({ role: 'owner' });
  });

  it('carry errors, progress and the wish to stop', async () => {
    await expect(search('/p', 'fail')).rejects.toThrow('no');
    const stopping = new AbortController();
    const reindex = service.services.store.reindex as unknown as (
      path: string,
      options: object,
    ) => Promise<unknown>;
    const onProgress = () => stopping.abort();
    expect(await reindex('/p', { onProgress, signal: stopping.signal })).toBe('reindexed');
    expect(await reindex('/p', { signal: AbortSignal.abort() })).toBe('reindexed');
  });

  it('count as the use of a project only where there is one', async () => {
    await search('/p', 'a');
    await expect(search('/nowhere', 'missing')).rejects.toMatchObject({
      code: 'project_not_found',
    });
    expect(service.activeProjects).toBe(1);
  });

  it('use the model and the log of the service', async () => {
    const [vector] = await new FakeEmbedder().embedBatch(['three']);
    expect(await search('/p', 'embed')).toEqual([...(vector ?? [])]);
    await search('/p', 'log');
    expect(logger.messages('warn')).toContain('said');
  });

  it('bring along what was counted, before they are answered', async () => {
    await search('/p', 'count');
    expect(retried).toEqual(['vectors']);
  });

  it('are made alone where a worker claims a project', async () => {
    await search('/p', 'a');
    const answers = await Promise.all([search('/p', 'alone'), search('/p', 'alone')]);
    expect(answers).toEqual([expect.any(Number), expect.any(Number)]);
  });
});

describe('a worker that ends', SLOW, () => {
  it('has its reads answered by another, and its writes refused, none of them made twice', async () => {
    await search('/p', 'a');
    const reads = Array.from({ length: 4 }, () => search('/p', 'wait'));
    for (const pid of service.processIds) process.kill(pid, 'SIGKILL');
    expect(await Promise.all(reads)).toHaveLength(4);
    const write = note('/p', 'loop');
    await until(isNoted);
    const refused = expect(write).rejects.toMatchObject({ code: 'store_unavailable' });
    await killed(service.processIds);
    await refused;
    expect(readFileSync(join(folder, 'notes'), 'utf8')).toBe('loop\n');
    expect(await note('/p', 'again')).toMatchObject({ pid: expect.any(Number) });
  });

  it('costs other projects nothing, even if its own read ends the next worker as well', async () => {
    await Promise.all([search('/p', 'a'), search('/q', 'a')]);
    const reads = Array.from({ length: 6 }, () => search('/q', 'wait'));
    await expect(search('/p', 'crash')).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await Promise.all(reads)).toHaveLength(6);
  });

  it('is not a fault of its project if another program killed it, and is if it crashed three times', async () => {
    for (let i = 0; i < 4; i += 1) {
      await search('/p', 'a');
      await killed(service.processIds.slice(0, 1));
    }
    expect(await search('/p', 'a')).toMatchObject({ pid: expect.any(Number) });
    await expect(search('/p', 'crash')).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(search('/p', 'a')).rejects.toThrow('three worker processes');
    expect(await search('/q', 'a')).toMatchObject({ pid: expect.any(Number) });
    clock.shift(10 * 60_000);
    expect(await search('/p', 'a')).toMatchObject({ pid: expect.any(Number) });
  });

  it('is replaced when it has grown too large', async () => {
    await search('/q', 'a');
    await expect(search('/p', 'eat')).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await search('/q', 'a')).toMatchObject({ pid: expect.any(Number) });
  });
});

describe('an upkeep', SLOW, () => {
  it('leaves nothing in the memory of its worker', async () => {
    const reindex = () => service.services.store.reindex('/leaving');
    expect([await reindex(), await reindex(), await reindex()]).toContain('collected');
  });
});

describe('a worker that cannot start', SLOW, () => {
  it('is tried again after pauses, until it can', async () => {
    const starts = join(folder, 'starts');
    const isBroken = join(folder, 'broken');
    writeFileSync(isBroken, '');
    await killed(service.processIds);
    await until(() => existsSync(starts));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(readFileSync(starts, 'utf8').length).toBeLessThan(10);
    rmSync(isBroken);
    expect(await search('/p', 'a')).toMatchObject({ pid: expect.any(Number) });
  });

  it('does not end the service if the system refuses a new process', async () => {
    vi.stubEnv('TMPDIR', join(folder, 'missing'));
    await killed(service.processIds);
    expect(logger.messages('error')).toContain('A worker process could not be started.');
    vi.unstubAllEnvs();
    expect(await search('/p', 'a')).toMatchObject({ pid: expect.any(Number) });
  });
});

describe('a worker that is stuck', SLOW, () => {
  it('does not keep other projects waiting until it is ended, reads and writes alike', async () => {
    await ended();
    service = started({ stuckMs: 10 * 60_000, stuckInUpkeepMs: 10 * 60_000 });
    await service.ready();
    await Promise.all([search('/p', 'a'), search('/q', 'a')]);
    const stuck = [search('/p', 'loop'), note('/p', 'loop')];
    const refusals = Promise.all(stuck.map((call) => call.catch((error: unknown) => error)));
    expect(await search('/q', 'a')).toMatchObject({ pid: expect.any(Number) });
    expect(await note('/q', 'b')).toMatchObject({ pid: expect.any(Number) });
    await ended();
    expect(await refusals).toHaveLength(2);
  });

  it('is ended, and so are its calls, even if the service itself stood still before', async () => {
    for (let i = 0; i < 5; i += 1) {
      const answered = search('/p', 'a');
      clock.shift(10 * 60_000);
      await answered;
    }
    await Promise.all([search('/p', 'a'), search('/q', 'a')]);
    const [stuckRead, stuckWrite] = [search('/p', 'loop'), note('/p', 'loop')];
    const refusals = [stuckRead, stuckWrite].map((call) => call.catch((error: unknown) => error));
    for (const refusal of refusals) {
      expect(await refusal).toMatchObject({ code: 'store_unavailable' });
    }
    expect(await note('/p', 'c')).toMatchObject({ pid: expect.any(Number) });
  });

  it('does not keep those waiting who ask how the service is', async () => {
    const [owner = NaN] = service.processIds;
    process.kill(owner, 'SIGSTOP');
    const asked = service.askOwner('totals');
    await expect(asked).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('may take longer for upkeep, while others are served', async () => {
    const upkeep = service.services.store.reindex('/stuck').catch((error: unknown) => error);
    expect(await note('/q', 'a')).toMatchObject({ role: 'owner' });
    expect(await upkeep).toMatchObject({ code: 'store_unavailable' });
  });
});

describe('a service that stops', SLOW, () => {
  it('ends its workers, and refuses what comes afterwards', async () => {
    await search('/p', 'a');
    const pids = service.processIds;
    await service.stop();
    expect(pids.map(isRunning)).toEqual([false, false]);
    await expect(search('/p', 'a')).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});

describe('a service that is killed', SLOW, () => {
  it('does not leave a worker behind, not even one that is stuck', async () => {
    const killedService = spawn(process.execPath, [writeServiceStuckInANote(folder)]);
    const [line] = (await once(killedService.stdout, 'data')) as [Buffer];
    const pids: readonly number[] = JSON.parse(String(line));
    try {
      await until(isNoted);
      expect(pids.map(isRunning)).toEqual([true, true]);
      killedService.kill('SIGKILL');
      await expect.poll(() => pids.filter(isRunning), { timeout: 15_000 }).toEqual([]);
    } finally {
      for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL');
    }
  });
});

function ignored(): void {}

function started(silence: SilenceLimits): WorkerService {
  return new WorkerService({
    file: writeScriptedWorker(folder),
    settings: {},
    workers: 2,
    maxMb: 256,
    silence,
    embedder: new FakeEmbedder(),
    clock,
    logger,
    metrics: {
      searched: ignored,
      answered: ignored,
      modelCalled: ignored,
      retried: (work) => retried.push(work),
      embeddingWaits: ignored,
      embedded: ignored,
    },
  });
}

/** Stops the service, which would wait for workers that are stuck. */
function ended(): Promise<void> {
  for (const pid of service.processIds) process.kill(pid, 'SIGKILL');
  return service.stop();
}

/** Kills workers as another program would, and waits until the service has noticed. */
async function killed(pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await until(() => !service.processIds.some((pid) => pids.includes(pid)));
}

interface Answer {
  readonly pid: number;
  readonly role: string;
}

function search(projectPath: string, query: string): Promise<Answer> {
  return service.services.store.search(projectPath, query) as unknown as Promise<Answer>;
}

function note(projectPath: string, text: string): Promise<Answer> {
  return service.services.notes.addNote(projectPath, text as never) as unknown as Promise<Answer>;
}

/** Whether a worker is stuck in a note. */
function isNoted(): boolean {
  const notes = join(folder, 'notes');
  return existsSync(notes) && readFileSync(notes, 'utf8') === 'loop\n';
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
