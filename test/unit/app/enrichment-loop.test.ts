import { describe, expect, it } from 'vitest';
import { ModelCallError } from '../../../src/domain/errors.js';
import type { Leases } from '../../../src/ports/driven/leases.js';
import {
  closedGate,
  failing,
  loopScene,
  outcomes,
  pass,
  settle,
} from '../../support/enrichment-world.js';

describe('a loop', () => {
  it('takes steps until there is nothing to do, and again when it is woken', async () => {
    const { loop, startedAt } = await loopScene(outcomes('worked', 'worked', 'idle'));
    loop.wake();
    await settle();
    expect(startedAt).toHaveLength(3);
    loop.wake();
    await settle();
    expect(startedAt).toHaveLength(4);
  });

  it('looks again when it is woken while it finds nothing to do', async () => {
    const gate = closedGate();
    const { loop, startedAt } = await loopScene(async () => {
      await gate.passed;
      return 'idle';
    });
    loop.wake();
    await settle();
    loop.wake();
    loop.wake();
    gate.open();
    await settle();
    expect(startedAt).toHaveLength(2);
  });

  it('looks again when it is woken while it gives the lease back', async () => {
    const gate = closedGate();
    const slowly = (leases: Leases): Leases => ({
      acquire: (name, durationMs) => leases.acquire(name, durationMs),
      release: async (name) => {
        await gate.passed;
        await leases.release(name);
      },
    });
    const { loop, startedAt } = await loopScene(async () => 'idle', slowly);
    loop.wake();
    await settle();
    loop.wake();
    gate.open();
    await settle();
    expect(startedAt).toHaveLength(2);
  });
});

describe('a failed step', () => {
  it('is tried again after a pause that doubles each time, up to ten minutes', async () => {
    const { loop, clock, startedAt, logger, retries } = await loopScene(
      failing(new Error('broken')),
    );
    loop.wake();
    await settle();
    await pass(clock, 45 * 60_000, 1000);
    const seconds = pausesBetween(startedAt).map((ms) => ms / 1000);
    expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
    expect(logger.messages('warn')).toHaveLength(13);
    expect(retries).toEqual(Array(13).fill('vectors'));
    expect(logger.entries[0]?.fields).toEqual({ work: 'vectors', reason: 'broken', pauseMs: 1000 });
  });

  it('is followed by a short pause again after a step that worked', async () => {
    const bad = new Error('broken');
    const { loop, clock, startedAt } = await loopScene(outcomes(bad, bad, 'worked', bad, 'idle'));
    loop.wake();
    await settle();
    await pass(clock, 10_000);
    expect(pausesBetween(startedAt)).toEqual([1000, 2000, 0, 1000]);
  });

  it('is not tried again before the pause that the endpoint asked for is over', async () => {
    const throttled = new ModelCallError('throttled', 'Slow down.', { retryAfterMs: 7000 });
    const { loop, clock, startedAt } = await loopScene(outcomes(throttled, 'idle'));
    loop.wake();
    await settle();
    await pass(clock, 6999);
    expect(startedAt).toHaveLength(1);
    await pass(clock, 1);
    expect(startedAt).toHaveLength(2);
  });

  it('pauses no less for an endpoint that asks for a shorter pause', async () => {
    const throttled = new ModelCallError('throttled', 'Slow down.', { retryAfterMs: 10 });
    const { loop, clock, startedAt } = await loopScene(failing(throttled));
    loop.wake();
    await settle();
    await pass(clock, 7000);
    expect(pausesBetween(startedAt)).toEqual([1000, 2000, 4000]);
  });

  it('is not tried again sooner because the loop is woken', async () => {
    const { loop, startedAt } = await loopScene(failing(new Error('broken')));
    loop.wake();
    await settle();
    for (let i = 0; i < 5; i += 1) loop.wake();
    await settle();
    expect(startedAt).toHaveLength(1);
  });
});

describe('a stop', () => {
  it('ends the pause after a failure at once', async () => {
    const { loop, clock, startedAt } = await loopScene(failing(new Error('broken')));
    loop.wake();
    await settle();
    expect(clock.sleepers).toBe(1);
    await loop.stop();
    expect(clock.sleepers).toBe(0);
    await pass(clock, 60_000);
    expect(startedAt).toHaveLength(1);
  });

  it('waits for the step under way, after which comes no other', async () => {
    const gate = closedGate();
    const { loop, startedAt } = await loopScene(async () => {
      await gate.passed;
      return 'worked';
    });
    loop.wake();
    await settle();
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    await settle();
    expect(isStopped).toBe(false);
    gate.open();
    await stopped;
    loop.wake();
    await settle();
    expect(startedAt).toHaveLength(1);
  });

  it('is done at once where nothing was ever begun', async () => {
    const { loop } = await loopScene(async () => 'idle');
    await loop.stop();
  });
});

function pausesBetween(times: readonly number[]): readonly number[] {
  return times.slice(1).map((time, index) => time - (times[index] as number));
}
