import { expect, test } from 'vitest';
import { measureEmbedding, measureTask } from '../../../src/app/measured-calls.js';
import { ModelCallError } from '../../../src/domain/errors.js';
import type { Metrics } from '../../../src/ports/metrics.js';
import { FixedClock } from '../../fakes/fixed-clock.js';

test.each([
  ['succeeded', undefined],
  ['throttled', new ModelCallError('throttled', 'Later.')],
  ['unusable', new TypeError('A bug.')],
])(
  'a call of the language model is reported as %s, and ends in the same way',
  async (outcome, error) => {
    const { calls, metrics } = recorded();
    const generateQuestions = async () => {
      if (error !== undefined) throw error;
      return ['one'];
    };
    const measuring = { metrics, clock: new FixedClock() };
    const ended = await measureTask(measuring, 'questions', generateQuestions).catch(
      (thrown) => thrown,
    );
    expect(ended).toEqual(error ?? ['one']);
    expect(calls).toEqual([{ task: 'questions', outcome, seconds: 0 }]);
  },
);

test('seconds are measured on a clock, in a call that takes some', async () => {
  const { calls, metrics } = recorded();
  const clock = new FixedClock();
  clock.advance(10_000);
  const measuring = { metrics, clock };
  const slowly =
    <T>(result: T) =>
    async (): Promise<T> => {
      clock.advance(1_500);
      return result;
    };
  expect(await measureTask(measuring, 'summary', slowly('short'))).toBe('short');
  expect(await measureTask(measuring, 'lessons', slowly([]))).toEqual([]);
  await measureEmbedding(measuring, { kind: 'query', texts: 1 }, slowly([]));
  expect(calls).toEqual([
    { task: 'summary', outcome: 'succeeded', seconds: 1.5 },
    { task: 'lessons', outcome: 'succeeded', seconds: 1.5 },
    { embedding: 'begins' },
    { embedding: 'ends' },
    { kind: 'query', texts: 1, seconds: 1.5 },
  ]);
});

// Helpers

/** Everything that is reported, in order. */
function recorded(): { readonly calls: object[]; readonly metrics: Metrics } {
  const calls: object[] = [];
  const record = (call: object) => void calls.push(call);
  const metrics = {
    searched: record,
    answered: record,
    modelCalled: record,
    retried: (work: string) => record({ retried: work }),
    embeddingWaits: (change: string) => record({ embedding: change }),
    embedded: record,
  };
  return { calls, metrics };
}
