import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/ports/clock.js';

export interface ClockUnderTest {
  readonly clock: Clock;
  /** Lets this many milliseconds pass on the clock. */
  readonly pass: (ms: number) => Promise<void> | void;
}

/** The contract of `Clock`. */
export function describeClock(title: string, make: () => ClockUnderTest): void {
  describe(`Clock: ${title}`, () => {
    it('returns the wall-clock time as a new date each time', async () => {
      const { clock, pass } = make();
      const before = clock.now();
      const then = before.getTime();
      await pass(5);
      expect(clock.now().getTime()).toBeGreaterThan(then);
      expect(before.getTime()).toBe(then);
    });

    it('counts milliseconds that never go backwards', async () => {
      const { clock, pass } = make();
      const times = [clock.monotonic(), clock.monotonic()];
      await pass(5);
      times.push(clock.monotonic());
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(4);
    });

    it.each([
      ['', undefined],
      [' that could be aborted', new AbortController().signal],
    ])('ends a pause%s when its time has passed, and not before', async (_, signal) => {
      const { clock, pass } = make();
      const ended: number[] = [];
      const begin = clock.monotonic();
      const pauses = [8, 4].map(async (ms) => {
        await clock.sleep(ms, signal);
        ended.push(ms);
        // System timers count in whole milliseconds.
        expect(clock.monotonic() - begin).toBeGreaterThanOrEqual(ms - 1);
      });
      expect(ended).toEqual([]);
      await pass(4);
      await pass(4);
      await Promise.all(pauses);
      expect(ended).toEqual([4, 8]);
    });

    it('ends a pause at once when its signal is aborted, without an error', async () => {
      const { clock } = make();
      const stop = new AbortController();
      const paused = clock.sleep(3_600_000, stop.signal);
      stop.abort(new Error('No more.'));
      await paused;
    });

    it('does not begin a pause whose signal is already aborted', async () => {
      await make().clock.sleep(3_600_000, AbortSignal.abort());
    });

    it.each([0, -1])('ends a pause of %i ms', async (ms) => {
      await make().clock.sleep(ms);
    });
  });
}
