import { describe, expect, it } from 'vitest';
import { NO_CALLS, recordCall, waitBeforeCall } from '../../../src/domain/upkeep/rate-limit.js';

const LIMIT = { calls: 2, windowMs: 100 };

describe('a limit of 2 calls in 100 ms', () => {
  it('lets the first calls start at once', () => {
    expect(waitBeforeCall(NO_CALLS, 0, LIMIT)).toBe(0);
    expect(waitBeforeCall([0], 0, LIMIT)).toBe(0);
  });

  it('lets the third start when the first has left the window', () => {
    expect(waitBeforeCall([0, 30], 40, LIMIT)).toBe(60);
    expect(waitBeforeCall([0, 30], 99, LIMIT)).toBe(1);
    expect(waitBeforeCall([0, 30], 100, LIMIT)).toBe(0);
    expect(waitBeforeCall([0, 30], 1000, LIMIT)).toBe(0);
  });

  it('rounds a wait up to whole milliseconds', () => {
    expect(waitBeforeCall([0, 30], 99.75, LIMIT)).toBe(1);
  });

  it('counts calls that did not ask', () => {
    const times = [0, 10, 20].reduce((all, now) => recordCall(all, now, LIMIT), NO_CALLS);
    expect(waitBeforeCall(times, 30, LIMIT)).toBe(80);
  });

  it('counts only the latest of a longer history', () => {
    expect(waitBeforeCall([0, 10, 20], 30, LIMIT)).toBe(80);
  });

  it('remembers no more calls than it needs', () => {
    expect(recordCall([0, 10], 20, LIMIT)).toEqual([10, 20]);
  });
});
