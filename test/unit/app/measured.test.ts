import { expect, test } from 'vitest';
import { measuredEmbedder, measuredQuestions } from '../../../src/app/measured/measured-model.js';
import { ActiveStores } from '../../../src/app/projects/active-stores.js';
import { ModelCallError } from '../../../src/domain/errors.js';
import type { Metrics } from '../../../src/ports/driven/metrics.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { memoryStores } from '../../support/memory-stores.js';

const TEXT = 'a text';

test('a call of the language model is reported with how it ended, and ends in the same way', async () => {
  const { calls, metrics } = recorded();
  const measuring = { metrics, clock: new FixedClock() };
  const answering = { isAvailable: () => true, generateQuestions: async () => ['one'] };
  const failing = {
    isAvailable: () => true,
    generateQuestions: () => Promise.reject(new ModelCallError('throttled', 'Later.')),
  };
  expect(await measuredQuestions(answering, measuring).generateQuestions(TEXT)).toEqual(['one']);
  await expect(measuredQuestions(failing, measuring).generateQuestions(TEXT)).rejects.toThrow();
  expect(calls).toEqual([
    { task: 'questions', outcome: 'succeeded', seconds: 0 },
    { task: 'questions', outcome: 'throttled', seconds: 0 },
  ]);
});

test('queries and batches are reported with their texts', async () => {
  const { calls, metrics } = recorded();
  const embedder = measuredEmbedder(FakeEmbedder.ready(), { metrics, clock: new FixedClock() });
  await embedder.embed(TEXT);
  await embedder.embedBatch([TEXT, TEXT]);
  expect(calls).toEqual([
    { kind: 'query', texts: 1, seconds: 0 },
    { kind: 'batch', texts: 2, seconds: 0 },
  ]);
});

test('a store is counted while it is in use, and not opened to be counted', async () => {
  const clock = new FixedClock();
  const stores = new ActiveStores(memoryStores({ clock }), clock);
  await stores.open('/a');
  await stores.open('/b');
  expect(stores.count()).toBe(2);
  clock.advance(59_000);
  await stores.open('/b');
  expect((await stores.totals()).stores).toBe(2);
  clock.advance(2_000);
  expect(stores.count()).toBe(1);
});

// Helpers

/** Everything that is reported, in order. */
function recorded(): { readonly calls: object[]; readonly metrics: Metrics } {
  const calls: object[] = [];
  const record = (call: object) => void calls.push(call);
  return { calls, metrics: { searched: record, modelCalled: record, embedded: record } };
}
