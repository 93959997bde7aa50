import { describe, expect, it } from 'vitest';
import { ModelCallError } from '../../../src/domain/errors.js';
import type { Leases } from '../../../src/ports/project-stores.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import {
  closedGate,
  ingest,
  loopScene,
  outcomes,
  pass,
  runningLoop,
  settle,
  worldWith,
} from '../../support/enrichment-world.js';

const FAILING = outcomes(new Error('broken'));
const idle = outcomes('idle');

describe('a loop', () => {
  it('takes steps until there is nothing to do, and again when it is woken', async () => {
    const { loop, startedAt } = await runningLoop(outcomes('worked', 'worked', 'idle'));
    expect(startedAt).toHaveLength(3);
    loop.schedule();
    await settle();
    expect(startedAt).toHaveLength(4);
  });

  it('looks again when it is woken while it finds nothing to do', async () => {
    const gate = closedGate();
    const { loop, startedAt } = await runningLoop(() => gate.passed.then(() => 'idle' as const));
    loop.schedule();
    loop.schedule();
    gate.open();
    await settle();
    expect(startedAt).toHaveLength(2);
  });

  it('checks again if it is woken while it releases the lease', async () => {
    const gate = closedGate();
    const slowly = (leases: Leases): Leases => ({
      acquire: (name, durationMs) => leases.acquire(name, durationMs),
      release: async (name) => {
        await gate.passed;
        return leases.release(name);
      },
      isHeld: (name) => leases.isHeld(name),
    });
    const { loop, startedAt } = await runningLoop(idle, slowly);
    loop.schedule();
    gate.open();
    await settle();
    expect(startedAt).toHaveLength(2);
  });
});

describe('a failed step', () => {
  it('is tried again after a pause that doubles each time, up to five minutes', async () => {
    const { clock, startedAt, logger, retries } = await runningLoop(FAILING);
    await pass(clock, 45 * 60_000, 1000);
    const seconds = pausesBetween(startedAt).map((ms) => ms / 1000);
    expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, ...Array(7).fill(300)]);
    expect(logger.messages('warn')).toHaveLength(17);
    expect(retries).toEqual(Array(17).fill('vectors'));
    expect(logger.entries[0]?.fields).toEqual({ work: 'vectors', reason: 'broken', pauseMs: 1000 });
  });

  it('does not keep a service alive while it waits for its next attempt', async () => {
    const { clock, loop } = await runningLoop(outcomes(new Error('broken'), 'idle'));
    expect([loop.isRunning, loop.isRetrying]).toEqual([true, true]);
    await pass(clock, 2_000, 1000);
    expect([loop.isRunning, loop.isRetrying]).toEqual([false, false]);
  });

  it('is followed by a short pause again after a step that worked', async () => {
    const bad = new Error('broken');
    const { clock, startedAt } = await runningLoop(outcomes(bad, bad, 'worked', bad, 'idle'));
    await pass(clock, 10_000);
    expect(pausesBetween(startedAt)).toEqual([1000, 2000, 0, 1000]);
  });

  it.each([
    [10, [1000, 2000, 4000]],
    [7000, [7000]],
    [1500, [1500, 2000]],
  ])('pauses at least the %d ms that the endpoint asks for', async (retryAfterMs, pauses) => {
    const throttled = new ModelCallError('throttled', 'Slow down.', { retryAfterMs });
    const { clock, startedAt } = await runningLoop(outcomes(throttled));
    await pass(clock, 7000);
    expect(pausesBetween(startedAt)).toEqual(pauses);
  });

  it('is not tried again sooner because the loop is woken', async () => {
    const { loop, startedAt } = await runningLoop(FAILING);
    for (let i = 0; i < 5; i += 1) loop.schedule();
    await settle();
    expect(startedAt).toHaveLength(1);
  });
});

describe('a stop', () => {
  it('ends the pause after a failure at once, and releases the lease', async () => {
    const { loop, clock, startedAt, others } = await runningLoop(FAILING);
    expect(clock.sleepers).toBe(1);
    await loop.stop();
    expect(clock.sleepers).toBe(0);
    await pass(clock, 60_000);
    expect(startedAt).toHaveLength(1);
    expect(await others.acquire('vectors', 60_000)).toBe(true);
  });

  it('waits for the step under way, after which comes no other', async () => {
    const gate = closedGate();
    const { loop, startedAt } = await runningLoop(() => gate.passed.then(() => 'worked' as const));
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    await settle();
    expect(isStopped).toBe(false);
    gate.open();
    await stopped;
    loop.schedule();
    await settle();
    expect(startedAt).toHaveLength(1);
  });

  it('is done at once if nothing was ever begun', async () => {
    const { loop } = await loopScene(idle);
    await loop.stop();
  });
});

describe('a lease', () => {
  it('of another holder keeps the loop from working until it is released, without a log line', async () => {
    const { loop, clock, startedAt, others, logger } = await loopScene(idle);
    await others.acquire('vectors', 60_000);
    loop.schedule();
    await pass(clock, 50_000);
    expect(startedAt).toEqual([]);
    await others.release('vectors');
    await pass(clock, 5000);
    expect(startedAt).toHaveLength(1);
    await others.acquire('vectors', 60_000);
    loop.schedule();
    await pass(clock, 10_000);
    expect(logger.entries).toEqual([]);
    await loop.stop();
    expect([startedAt.length, clock.sleepers]).toEqual([1, 0]);
  });

  it('is renewed while a step takes longer, and released after it', async () => {
    const gate = closedGate();
    const { clock, others } = await runningLoop(() => gate.passed.then(() => 'idle' as const));
    await pass(clock, 200_000);
    expect(await others.acquire('vectors', 60_000)).toBe(false);
    gate.open();
    await settle();
    expect(await others.acquire('vectors', 60_000)).toBe(true);
  });

  it('is released during the pause after a failure, because another process may have a model that works', async () => {
    const { loop, others } = await runningLoop(FAILING);
    expect(await others.acquire('vectors', 60_000)).toBe(true);
    await loop.stop();
  });

  it('is not acquired if there is no model, because that writes', async () => {
    const embedder = FakeEmbedder.ready();
    const generator = { isAvailable: () => false, generateQuestions: async () => [] };
    const { project, enrichment, ...world } = await worldWith({ embedder, generator });
    const asked: string[] = [];
    const leases: Leases = {
      acquire: async (name) => asked.push(`${name} acquired`) > 0,
      release: async (name) => void asked.push(`${name} released`),
      isHeld: async () => false,
    };
    const upkeep = { ...project.store.upkeep, ...leases };
    const watched = { ...project, store: { ...project.store, upkeep } };
    await ingest({ ...world, project }, 'a.md', 'apple');
    const work = enrichment.workOn(watched);
    work.schedule();
    await settle();
    expect(asked).toEqual(['vectors acquired', 'vectors acquired', 'vectors released']);
    embedder.fail('absent');
    work.schedule();
    await settle();
    expect(asked).toHaveLength(3);
  });
});

function pausesBetween(times: readonly number[]): readonly number[] {
  return times.slice(1).map((time, index) => time - (times[index] as number));
}
