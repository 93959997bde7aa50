import { describe, expect, it } from 'vitest';
import { RetryPause } from '../../../src/adapters/transformers/download/retry-pause.js';
import { FixedClock } from '../../fakes/fixed-clock.js';

describe('the pause after a failed load', () => {
  it('doubles from 1 s to 5 minutes', () => {
    const pause = new RetryPause(new FixedClock());
    const pauses = Array.from({ length: 11 }, () => pause.failed('no') / 1000);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  });

  it('is over when its time has passed, while the failure is still known', () => {
    const clock = new FixedClock();
    const pause = new RetryPause(clock);
    expect(pause.remainingMs()).toBe(0);
    pause.failed('no');
    clock.advance(999);
    expect(pause.remainingMs()).toBe(1);
    clock.advance(1);
    expect(pause.remainingMs()).toBe(0);
    expect(pause.failure).toBe('no');
  });

  it('begins at 1 s again after a success', () => {
    const pause = new RetryPause(new FixedClock());
    pause.failed('no');
    pause.failed('no');
    pause.succeeded();
    expect(pause.failure).toBeUndefined();
    expect(pause.failed('no')).toBe(1000);
  });
});
