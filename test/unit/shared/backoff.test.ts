import { describe, expect, it } from 'vitest';
import { Backoff, backoffMs } from '../../../src/shared/backoff.js';
import { FixedClock } from '../../fakes/fixed-clock.js';

it('doubles the pause with every failure, up to the longest', () => {
  const pauses = [1, 2, 3, 4, 5, 2000].map((failures) =>
    backoffMs({ firstMs: 10, longestMs: 60 }, failures),
  );
  expect(pauses).toEqual([10, 20, 40, 60, 60, 60]);
});

describe('the pause after a failed load', () => {
  it('doubles from 1 s to 5 minutes', () => {
    const pause = pauseOf(new FixedClock());
    const pauses = Array.from({ length: 11 }, () => pause.failed('no') / 1000);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  });

  it('is over when its time has passed, while the failure is still known', () => {
    const clock = new FixedClock();
    const pause = pauseOf(clock);
    expect(pause.remainingMs()).toBe(0);
    pause.failed('no');
    clock.advance(999);
    expect(pause.remainingMs()).toBe(1);
    clock.advance(1);
    expect(pause.remainingMs()).toBe(0);
    expect(pause.failure).toBe('no');
  });

  it('is as long as requested', () => {
    expect(pauseOf(new FixedClock()).failed('no', 7000)).toBe(7000);
  });

  it('begins at 1 s again after a success', () => {
    const pause = pauseOf(new FixedClock());
    pause.failed('no');
    pause.failed('no');
    pause.succeeded();
    expect(pause.failure).toBeUndefined();
    expect(pause.failed('no')).toBe(1000);
  });
});

function pauseOf(clock: FixedClock): Backoff {
  return new Backoff({ firstMs: 1000, longestMs: 300_000 }, () => clock.monotonic());
}
