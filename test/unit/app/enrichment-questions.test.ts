import { describe, expect, it } from 'vitest';
import { ModelCallError, type ModelCallFailure } from '../../../src/domain/errors.js';
import { normalizedMean } from '../../../src/domain/ranking/vector.js';
import type { QuestionGenerator } from '../../../src/ports/language-model.js';
import {
  type EnrichmentWorld,
  enrichmentWorld,
  ingest,
  ingestMany,
  pass,
  settle,
  until,
  worldWith,
} from '../../support/enrichment-world.js';

describe('questions', () => {
  it('are generated once all chunks have their vectors, the newest first, and embedded last', async () => {
    const world = await enrichmentWorld();
    await ingestMany(world, 10);
    world.work.schedule();
    await until(() => hasQuestionVectors(world, 10));
    const newestFirst = Array.from({ length: 10 }, (_, index) => `note ${10 - index}`);
    expect(new Set(world.embedder.embedded.slice(0, 10))).toEqual(new Set(newestFirst));
    expect(world.generator.calls).toEqual(newestFirst);
    const questions = world.embedder.embedded.slice(10);
    expect(questions).toHaveLength(30);
    expect(questions).toEqual(questions.filter((text) => text.startsWith('What about')));
  });

  it('are compared by the mean of the vectors of all of them', async () => {
    const world = await enrichmentWorld();
    await ingest(world, 'a.md', 'alpha beta gamma');
    world.work.schedule();
    await until(() => hasQuestionVectors(world, 1));
    const texts = ['alpha', 'beta', 'gamma'].map((word) => `What about ${word}?`);
    const mean = normalizedMean(await world.embedder.embedBatch(texts));
    const cosines = await world.project.store.vectors.similarities(
      'questions',
      mean ?? new Float32Array(),
      ['a.md#0'],
    );
    expect(cosines.get('a.md#0')).toBeCloseTo(1, 5);
  });

  it('are not generated while chunks have no vectors', async () => {
    const world = await enrichmentWorld();
    await ingestMany(world, 3);
    world.embedder.hold();
    world.work.schedule();
    await settle();
    expect(world.generator.calls).toEqual([]);
    world.embedder.fail();
    world.embedder.release();
    await pass(world.clock, 60_000);
    expect(world.generator.calls).toEqual([]);
  });

  it('are generated again after a restart only for the chunks that have none', async () => {
    const calls: string[] = [];
    const answering = unusableFor('nothing', calls);
    const generator = { ...answering, isAvailable: () => calls.length < 5 };
    const before = await worldWith({ generator });
    await ingestMany(before, 12);
    before.work.schedule();
    await until(() => hasQuestionVectors(before, 5));
    await before.work.stop();
    const { clock, data } = before;
    const after = await enrichmentWorld({ clock, data });
    after.work.schedule();
    await until(() => hasQuestionVectors(after, 12));
    expect([...calls, ...after.generator.calls]).toEqual(
      Array.from({ length: 12 }, (_, index) => `note ${12 - index}`),
    );
  });

  it('of a text that has changed since are discarded and generated again', async () => {
    const edits = [() => ingest(world, 'a.md', 'beta')];
    const calls: string[] = [];
    const generator: QuestionGenerator = {
      isAvailable: () => true,
      async generateQuestions(text) {
        calls.push(text);
        await edits.shift()?.();
        return [1, 2, 3].map((number) => `Which ${text} is number ${number}?`);
      },
    };
    const world = await worldWith({ generator });
    await ingest(world, 'a.md', 'alpha');
    world.work.schedule();
    await settle();
    world.work.schedule();
    await until(() => hasQuestionVectors(world, 1));
    expect(calls).toEqual(['alpha', 'beta']);
    expect(world.embedder.embedded).not.toContain('Which alpha is number 1?');
    expect(world.embedder.embedded).toContain('Which beta is number 1?');
  });
});

describe('a language model', () => {
  it('that is not set is never called, and nothing waits for it', async () => {
    const world = await enrichmentWorld();
    world.generator.available = false;
    await ingestMany(world, 3);
    world.work.schedule();
    await pass(world.clock, 60_000);
    expect(world.generator.calls).toEqual([]);
    expect(world.logger.messages('warn')).toEqual([]);
    expect(world.clock.sleepers).toBe(0);
  });

  it('whose answers for one chunk are unusable is called for the others', async () => {
    const calls: string[] = [];
    const world = await worldWith({ generator: unusableFor('note 2', calls) });
    await ingestMany(world, 3);
    world.work.schedule();
    await until(() => hasQuestionVectors(world, 2));
    await pass(world.clock, 10 * 60_000, 10_000);
    world.work.schedule();
    await settle();
    expect(calls).toEqual(['note 3', 'note 2', 'note 1']);
    expect(world.logger.messages('warn')).toHaveLength(1);
  });

  it.each(['unreachable', 'failed'] as const)(
    'that is %s whenever it is asked about one chunk is asked about the others',
    async (failure) => {
      const calls: string[] = [];
      const world = await worldWith({
        generator: failingFor(['note 4', 'note 3'], failure, calls),
      });
      await ingestMany(world, 5);
      world.work.schedule();
      await pass(world.clock, 5 * 60_000, 10_000);
      expect(await hasQuestionVectors(world, 3)).toBe(true);
      expect(calls.toSorted()).toEqual([
        'note 1',
        'note 2',
        'note 3',
        'note 3',
        'note 4',
        'note 4',
        'note 5',
      ]);
      expect(
        world.work.refusals.hype
          .list()
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(['n-3.md#0', 'n-4.md#0']);
      await ingest(world, 'n-3.md', 'another text');
      world.work.schedule();
      await until(() => hasQuestionVectors(world, 4));
    },
  );

  it.each(['unusable', 'refused'] as const)(
    'whose answers are all %s is called ever more seldom',
    async (failure) => {
      const world = await enrichmentWorld();
      world.generator.failure = new ModelCallError(failure, 'It answers something else.');
      await ingestMany(world, 60);
      world.work.schedule();
      await settle();
      await pass(world.clock, 30 * 60_000, 20_000);
      const asked = world.generator.calls.length;
      expect(asked).toBeGreaterThan(8);
      expect(asked).toBeLessThan(18);
      world.generator.failure = undefined;
      await pass(world.clock, 20 * 60_000, 20_000);
      await until(() => hasQuestionVectors(world, 60 - asked));
    },
  );

  it('that is down is called with backoff, and all work waits until it is back', async () => {
    const world = await enrichmentWorld();
    world.generator.failure = new ModelCallError('unreachable', 'It is down.');
    await ingestMany(world, 5);
    world.work.schedule();
    await settle();
    await pass(world.clock, 60 * 60_000, 10_000);
    expect(world.generator.calls.length).toBeGreaterThan(10);
    expect(world.generator.calls.length).toBeLessThan(25);
    expect(await hasQuestionVectors(world, 0)).toBe(true);

    world.generator.failure = undefined;
    await pass(world.clock, 10 * 60_000, 10_000);
    expect(await hasQuestionVectors(world, 5)).toBe(true);
  });
});

function unusableFor(bad: string, calls: string[]): QuestionGenerator {
  return failingFor([bad], 'unusable', calls);
}

function failingFor(
  bad: readonly string[],
  failure: ModelCallFailure,
  calls: string[],
): QuestionGenerator {
  return {
    isAvailable: () => true,
    async generateQuestions(text) {
      calls.push(text);
      if (bad.includes(text)) throw new ModelCallError(failure, 'No three questions.');
      return [1, 2, 3].map((number) => `Which ${text} is number ${number}?`);
    },
  };
}

async function hasQuestionVectors(
  { project }: Pick<EnrichmentWorld, 'project'>,
  count: number,
): Promise<boolean> {
  return (await project.store.vectors.status('questions')).complete === count;
}
