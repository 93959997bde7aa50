import { expect, test } from 'vitest';
import { noEmbedder } from '../../../src/app/null-objects/no-embedder.js';
import { ActiveStores } from '../../../src/app/projects/active-stores.js';
import type { Embedder } from '../../../src/ports/driven/embedder.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { document } from '../../support/chunks.js';
import { memoryStores } from '../../support/memory-stores.js';

test('a store is counted while it is in use, and not opened to be counted', async () => {
  const clock = new FixedClock();
  const stores = activeStores(clock, FakeEmbedder.ready());
  await stores.open('/a');
  await stores.open('/b');
  expect(stores.count()).toBe(2);
  clock.advance(59_000);
  await stores.open('/b');
  expect((await stores.totals()).stores).toBe(2);
  clock.advance(2_000);
  expect(stores.count()).toBe(1);
});

test.each([
  ['with', FakeEmbedder.ready(), 1],
  ['without', noEmbedder('fake/words'), 0],
])('a store with pending vectors stays counted only %s a model', async (_, embedder, count) => {
  const clock = new FixedClock();
  const stores = activeStores(clock, embedder);
  const { chunks } = await stores.open('/a');
  await chunks.replaceSource('a.md', async () => document('a.md', ['a text']));
  expect(await stores.totals()).toMatchObject({ chunks: 1, pendingVectors: 1 });
  clock.advance(61_000);
  expect(stores.count()).toBe(count);
});

test.each([
  ['with questions that can be made', true, 1],
  ['with questions that cannot be made', false, 0],
])('a store %s stays counted: %s', async (_, isAvailable, count) => {
  const clock = new FixedClock();
  const stores = activeStores(clock, FakeEmbedder.ready(), isAvailable);
  const { chunks, vectors, questions } = await stores.open('/a');
  await chunks.replaceSource('a.md', async () => document('a.md', ['a text']));
  for (const item of await vectors.pending(1)) {
    const [vector] = await FakeEmbedder.ready().embedBatch(item.texts);
    if (vector !== undefined) await vectors.put([{ ...item, vector }]);
  }
  for (const chunk of await questions.pending(1)) await questions.save(chunk, ['Which?']);
  expect(await stores.totals()).toMatchObject({ pendingVectors: 0, pendingQuestions: 1 });
  clock.advance(61_000);
  expect(stores.count()).toBe(count);
});

test('a store that is found counts as used, one that is missing does not, and none after a close', async () => {
  const clock = new FixedClock();
  const inner = memoryStores({ clock });
  await inner.open('/a');
  const ports = { clock, embedder: FakeEmbedder.ready(), questions: { isAvailable: () => false } };
  const stores = new ActiveStores(inner, ports);
  expect(await stores.find('/b')).toBeUndefined();
  expect(stores.count()).toBe(0);
  expect(await stores.find('/a')).toBeDefined();
  expect([stores.count(), stores.locationOf('/a')]).toEqual([1, inner.locationOf('/a')]);
  clock.advance(60_000);
  expect(stores.count()).toBe(1);
  await stores.close();
  expect(stores.count()).toBe(0);
});

test('a store that cannot be read counts as empty', async () => {
  const stores = activeStores(new FixedClock(), FakeEmbedder.ready());
  const { chunks } = await stores.open('/a');
  chunks.stats = () => Promise.reject(new Error('It is broken.'));
  expect(await stores.totals()).toEqual({
    stores: 1,
    chunks: 0,
    bytes: 0,
    pendingVectors: 0,
    pendingQuestions: 0,
  });
});

function activeStores(clock: FixedClock, embedder: Embedder, isAvailable = false): ActiveStores {
  const ports = { clock, embedder, questions: { isAvailable: () => isAvailable } };
  return new ActiveStores(memoryStores({ clock }), ports);
}
