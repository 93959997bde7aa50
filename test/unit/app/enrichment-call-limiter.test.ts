import { describe, expect, it } from 'vitest';
import { CallLimiter } from '../../../src/app/enrichment/call-limiter.js';
import { ModelCallError } from '../../../src/domain/errors.js';
import type { QuestionGenerator } from '../../../src/ports/driven/question-generator.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import {
  ingestMany,
  mostInOneMinute,
  pass,
  settle,
  startsInMinuteBefore,
  worldWith,
} from '../../support/enrichment-world.js';

const TEN_MINUTES = 10 * 60_000;

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

  it('holds when many wait at the same time', async () => {
    const { clock, starts, callInBackground } = scene();
    const calls = Array.from({ length: 60 }, callInBackground);
    await settle();
    await pass(clock, TEN_MINUTES, 1000);
    await Promise.all(calls);
    expect(starts).toHaveLength(60);
    expect(mostInOneMinute(starts)).toBe(10);
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

describe('ten minutes of questions', () => {
  it('never start more than ten calls in any minute, failed, repeated and re-asked ones included', async () => {
    const { clock, limiter } = scene();
    const model = new MoodyModel(limiter, clock);
    const world = await worldWith({ generator: model, clock });
    await ingestMany(world, 200);
    world.enrichment.wake(world.project);
    await settle(300);
    await pass(clock, TEN_MINUTES);
    expect(mostInOneMinute(model.starts)).toBe(10);
    expect(model.starts.length).toBeGreaterThanOrEqual(95);
    expect(model.moods).toEqual(new Set(['down', 'garbage', 'asked again', 'well']));
    limiter.stop();
    await world.enrichment.stop();
  });

  it('keep to the limit with the calls between them that somebody waits for', async () => {
    const { clock, limiter } = scene();
    const model = new MoodyModel(limiter, clock);
    const world = await worldWith({ generator: model, clock });
    await ingestMany(world, 200);
    world.enrichment.wake(world.project);
    const awaited: number[] = [];
    for (let i = 0; i < 40; i += 1) {
      await pass(clock, 15_000);
      awaited.push(clock.monotonic());
      limiter.record();
    }
    expect(awaited).toHaveLength(40);
    expect(model.starts.length).toBeGreaterThan(40);
    const all = [...awaited, ...model.starts];
    // A call that somebody waits for may be the eleventh; one of the background never is.
    for (const start of model.starts) {
      const later = awaited.filter((at) => at === start).length;
      expect(startsInMinuteBefore(all, start) - later).toBeLessThanOrEqual(10);
    }
    limiter.stop();
    await world.enrichment.stop();
  });
});

/** Every call of it is admitted first; in turn it fails, answers garbage, has to be asked twice, and is well. */
class MoodyModel implements QuestionGenerator {
  readonly starts: number[] = [];
  readonly moods = new Set<string>();
  readonly #limiter: CallLimiter;
  readonly #clock: FixedClock;
  #asked = 0;

  constructor(limiter: CallLimiter, clock: FixedClock) {
    this.#limiter = limiter;
    this.#clock = clock;
  }

  isAvailable(): boolean {
    return true;
  }

  async generateQuestions(text: string): Promise<readonly string[]> {
    await this.#call();
    this.#asked += 1;
    if (this.#asked % 7 === 0) throw this.#inMood('garbage', 'unusable');
    if (this.#asked % 3 === 0) throw this.#inMood('down', 'failed');
    if (this.#asked % 5 === 0) {
      this.moods.add('asked again');
      await this.#call();
    }
    this.moods.add('well');
    return [1, 2, 3].map((number) => `Which ${text} is number ${number}?`);
  }

  #inMood(mood: string, failure: 'unusable' | 'failed'): ModelCallError {
    this.moods.add(mood);
    return new ModelCallError(failure, `It is ${mood}.`);
  }

  async #call(): Promise<void> {
    await this.#limiter.admit();
    this.starts.push(this.#clock.monotonic());
  }
}

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
