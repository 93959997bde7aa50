import { describe, expect, it } from 'vitest';
import { CallLimiter } from '../../../src/app/enrichment/call-limiter.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { pass, settle } from '../../support/enrichment-world.js';

describe('the limit of background calls', () => {
  it('admits ten at once and the eleventh when a minute has passed, whatever the time of day', async () => {
    const { clock, starts, callInBackground } = scene();
    for (let i = 0; i < 11; i += 1) void callInBackground();
    await settle();
    expect(starts).toHaveLength(10);
    clock.set('2027-06-01T00:00:00.000Z');
    await pass(clock, 59_999, 59_999);
    expect(starts).toHaveLength(10);
    clock.set('2020-06-01T00:00:00.000Z');
    await pass(clock, 1, 1);
    expect(starts).toHaveLength(11);
  });

  it('rejects at once who waits, and who comes later, once it is stopped', async () => {
    const { clock, limiter } = scene();
    for (let i = 0; i < 10; i += 1) await limiter.admit();
    const waiting = expect(limiter.admit()).rejects.toThrow('stopping');
    await settle();
    limiter.stop();
    await waiting;
    expect(clock.sleepers).toBe(0);
    await expect(limiter.admit()).rejects.toThrow('stopping');
    const unused = new CallLimiter(clock);
    unused.stop();
    await expect(unused.admit()).rejects.toThrow('stopping');
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
