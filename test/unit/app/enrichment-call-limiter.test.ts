import { describe, expect, it } from 'vitest';
import { CallLimiter } from '../../../src/app/enrichment/call-limiter.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { pass, settle } from '../../support/enrichment-world.js';

const _TEN_MINUTES = 10 * 60_000;

describe('the limit of background calls', () => {
  it('admits ten at once and the eleventh when a minute has passed', async () => {
    const { clock, limiter, starts, callInBackground } = scene();
    for (let i = 0; i < 11; i += 1) void callInBackground();
    await settle();
    expect(starts).toHaveLength(10);
    await pass(clock, 59_999, 59_999);
    expect(starts).toHaveLength(10);
    await pass(clock, 1, 1);
    expect(starts).toHaveLength(11);
    limiter.stop();
  });

  it('counts calls that somebody waits for, which themselves never wait', async () => {
    const { clock, limiter, starts, callInBackground } = scene();
    for (let i = 0; i < 12; i += 1) limiter.record();
    expect(clock.sleepers).toBe(0);
    void callInBackground();
    await pass(clock, 59_999, 59_999);
    expect(starts).toEqual([]);
    await pass(clock, 1, 1);
    expect(starts).toEqual([60_000]);
  });

  it('makes a background call wait on when somebody else called meanwhile', async () => {
    const { clock, limiter, starts, callInBackground } = scene();
    for (let i = 0; i < 10; i += 1) limiter.record();
    void callInBackground();
    await pass(clock, 30_000);
    limiter.record();
    for (let i = 0; i < 9; i += 1) limiter.record();
    await pass(clock, 59_500);
    expect(starts).toEqual([]);
    await pass(clock, 500);
    expect(starts).toEqual([90_000]);
  });

  it('does not notice that the time of day jumps', async () => {
    const { clock, starts, callInBackground } = scene();
    for (let i = 0; i < 11; i += 1) void callInBackground();
    await settle();
    clock.set('2027-06-01T00:00:00.000Z');
    await pass(clock, 59_500);
    expect(starts).toHaveLength(10);
    clock.set('2020-06-01T00:00:00.000Z');
    await pass(clock, 500);
    expect(starts).toHaveLength(11);
  });
});

describe('a stopped limiter', () => {
  it('rejects at once who waits, and who comes later', async () => {
    const { clock, limiter } = scene();
    for (let i = 0; i < 10; i += 1) await limiter.admit();
    const waiting = limiter.admit();
    waiting.catch(() => undefined);
    await settle();
    limiter.stop();
    await expect(waiting).rejects.toThrow('stopping');
    expect(clock.sleepers).toBe(0);
    await expect(limiter.admit()).rejects.toThrow('stopping');
  });

  it('rejects who would not have had to wait', async () => {
    const { limiter } = scene();
    limiter.stop();
    await expect(limiter.admit()).rejects.toThrow('stopping');
  });
});

function scene() {
  const clock = new FixedClock();
  const limiter = new CallLimiter(clock);
  const starts: number[] = [];
  const callInBackground = async (): Promise<void> => {
    await limiter.admit();
    starts.push(clock.monotonic());
  };
  return { clock, limiter, starts, callInBackground };
}
