import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallLimiter } from '../../src/app/enrichment/call-limiter.js';
import { MODEL_CALL_WINDOW_MS, MODEL_CALLS_PER_WINDOW } from '../../src/domain/limits.js';

interface Start {
  readonly at: number;
  readonly waited: number;
}

/** Eighths of a millisecond, which floating point adds exactly. */
const pauses = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 8 * 2000 }).map((eighths) => eighths / 8) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 8 * 70_000 }).map((eighths) => eighths / 8) },
);
/** More than the limit; by default, fast-check makes lists of about ten. */
const pauseLists = fc.array(pauses, { minLength: 8, maxLength: 80, size: 'max' });

describe('the limit of model calls', () => {
  it('never admits one too many, nor wait a whole millisecond longer than it must', async () => {
    await fc.assert(
      fc.asyncProperty(pauseLists, async (pauses) => {
        const starts = await run(pauses);
        for (const [index, { at, waited }] of starts.entries()) {
          const before = starts.slice(0, index);
          expect(inWindow(before, at)).toBeLessThan(MODEL_CALLS_PER_WINDOW);
          if (waited === 0) continue;
          expect(Number.isInteger(waited)).toBe(true);
          expect(inWindow(before, at - 1)).toBeGreaterThanOrEqual(MODEL_CALLS_PER_WINDOW);
        }
      }),
    );
  });
});

/** One request after another, each after a pause. */
async function run(pauses: readonly number[]): Promise<readonly Start[]> {
  let now = 0;
  const sleep = async (ms: number) => {
    now += ms;
  };
  const limiter = new CallLimiter({ monotonic: () => now, sleep });
  const starts: Start[] = [];
  for (const pause of pauses) {
    now += pause;
    const since = now;
    await limiter.admit();
    starts.push({ at: now, waited: now - since });
  }
  return starts;
}

/** How many of the calls started in the window that ends at this time. */
function inWindow(starts: readonly Start[], end: number): number {
  return starts.filter(({ at }) => end < at + MODEL_CALL_WINDOW_MS).length;
}
