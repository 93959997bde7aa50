import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MODEL_CALL_WINDOW_MS, MODEL_CALLS_PER_WINDOW } from '../../src/domain/limits.js';
import {
  NO_CALLS,
  type RateLimit,
  recordCall,
  waitBeforeCall,
} from '../../src/domain/upkeep/rate-limit.js';

const LIMIT: RateLimit = { calls: MODEL_CALLS_PER_WINDOW, windowMs: MODEL_CALL_WINDOW_MS };

interface Request {
  readonly pause: number;
  readonly asks: boolean;
}

interface Start {
  readonly at: number;
  readonly asked: boolean;
  readonly waited: number;
}

/** Eighths of a millisecond, which floating point adds exactly. */
const pauses = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 8 * 2000 }).map((eighths) => eighths / 8) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 8 * 70_000 }).map((eighths) => eighths / 8) },
);
const mixed = fc.record({ pause: pauses, asks: fc.boolean() });

describe('the limit of model calls', () => {
  it('never lets a call that asks be one too many, however many did not ask', () => {
    fc.assert(
      fc.property(fc.array(mixed, { maxLength: 80 }), (requests) => {
        const starts = run(requests);
        starts.forEach(({ asked }, index) => {
          if (asked) expect(startsBefore(starts, index)).toBeLessThan(LIMIT.calls);
        });
      }),
    );
  });

  it('never waits a whole millisecond longer than necessary', () => {
    fc.assert(
      fc.property(fc.array(mixed, { maxLength: 80 }), (requests) => {
        const starts = run(requests);
        starts.forEach(({ at, waited }, index) => {
          if (waited === 0) return;
          const sooner = at - 1;
          const others = starts
            .slice(0, index)
            .filter((other) => sooner < other.at + LIMIT.windowMs);
          expect(others.length).toBeGreaterThanOrEqual(LIMIT.calls);
        });
      }),
    );
  });

  it('rounds a wait up to whole milliseconds', () => {
    expect(waitBeforeCall([0, 30], 99.75, { calls: 2, windowMs: 100 })).toBe(1);
  });

  it('says the same whether it remembers all calls or only those it needs', () => {
    fc.assert(
      fc.property(fc.array(mixed, { maxLength: 80 }), pauses, (requests, pause) => {
        const all = run(requests).map(({ at }) => at);
        const kept = all.reduce((times, at) => recordCall(times, at, LIMIT), NO_CALLS);
        const now = (all.at(-1) ?? 0) + pause;
        expect(waitBeforeCall(kept, now, LIMIT)).toBe(waitBeforeCall(all, now, LIMIT));
      }),
    );
  });
});

/** One request after another: those that ask wait until they are told 0, the others start at once. */
function run(requests: readonly Request[]): readonly Start[] {
  const starts: Start[] = [];
  let times = NO_CALLS;
  let now = 0;
  for (const { pause, asks } of requests) {
    now += pause;
    const waited = asks ? waitBeforeCall(times, now, LIMIT) : 0;
    now += waited;
    if (asks) expect(waitBeforeCall(times, now, LIMIT)).toBe(0);
    times = recordCall(times, now, LIMIT);
    starts.push({ at: now, asked: asks, waited });
  }
  return starts;
}

/** Earlier starts in the window that ends with this one. */
function startsBefore(starts: readonly Start[], index: number): number {
  const at = starts[index]?.at ?? 0;
  return starts.slice(0, index).filter((other) => at < other.at + LIMIT.windowMs).length;
}
