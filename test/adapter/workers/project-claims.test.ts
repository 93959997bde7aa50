import { describe, expect, it } from 'vitest';
import { ProjectClaims } from '../../../src/adapters/workers/project-claims.js';
import type { WorkerProcess } from '../../../src/adapters/workers/worker-process.js';
import { FixedClock } from '../../fakes/fixed-clock.js';

describe('claims of a project', () => {
  it('are not given to a worker that ended while it waited', async () => {
    const { claims, workers, first, second } = world();
    await claims.begin('/p', first);
    const waiting = claims.begin('/p', second);
    workers.delete(second);
    claims.endAllOf(second);
    claims.end('/p', first);
    await waiting;
    expect(claims.admits('/p', first)).toBe(true);
  });

  it('are not ended by a worker that had them too long and lost them', async () => {
    const { claims, first, second } = world();
    await claims.begin('/p', first);
    await claims.begin('/p', second);
    claims.end('/p', first);
    expect([claims.admits('/p', second), claims.admits('/p', first)]).toEqual([true, false]);
    claims.end('/p', second);
    expect(claims.admits('/p', first)).toBe(true);
  });

  it('do not wait for a worker that ended', async () => {
    const { claims, clock, workers, first } = world();
    const begin = clock.monotonic();
    const third = worker([{ project: '/p' }]);
    workers.add(third);
    const claim = claims.begin('/p', first);
    await new Promise(setImmediate);
    workers.delete(third);
    await claim;
    expect(clock.monotonic() - begin).toBeLessThan(1_000);
  });
});

function world() {
  const clock = new PassingClock();
  const [first, second] = [worker(), worker()];
  const workers = new Set([first, second]);
  const pathOf = (project: string) => project;
  const claims = new ProjectClaims({
    clock,
    workers: () => [...workers],
    pathOf,
    onFree: () => {},
  });
  return { claims, clock, workers, first, second };
}

/** Its time passes in sleep alone. */
class PassingClock extends FixedClock {
  override async sleep(ms: number): Promise<void> {
    await new Promise(setImmediate);
    this.advance(ms);
  }
}

function worker(calls: readonly object[] = []): WorkerProcess {
  const channel = { call: async () => undefined };
  const state = { isReady: true, calls: new Set(calls), channel };
  return state as unknown as WorkerProcess;
}
