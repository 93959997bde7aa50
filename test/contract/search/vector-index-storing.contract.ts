import { expect } from 'vitest';
import type { Vector } from '../../../src/domain/ranking/vector.js';
import { document, draft, vector } from '../../support/chunks.js';
import type { Suite } from '../harness/contract-suite.js';
import { cosineTo, ingest, put } from '../harness/steps.js';
import { outsideOf } from '../harness/store-harness.js';

/** Tests of storing vectors, and of which chunks are pending. */
export function declareStoring({ it, subject }: Suite): void {
  it('stores a vector as one of length 1', async () => {
    await ingest(subject(), document('a', ['copper']));
    expect(await put(subject(), 'a#0', 'copper', vector(3, 4))).toBe(1);
    expect(await cosineTo(subject(), vector(3, 4), 'a#0')).toBeCloseTo(1, 5);
    expect(await cosineTo(subject(), vector(0, 10), 'a#0')).toBeCloseTo(0.8, 5);
  });

  it('never overwrites a vector that is there', async () => {
    await ingest(subject(), document('a', ['copper', 'walnut']));
    await put(subject(), 'a#0', 'copper', vector(1));
    const stored = await subject().store.vectors.put('content', [
      { id: 'a#0', texts: ['copper'], vector: vector(0, 1) },
      { id: 'a#1', texts: ['walnut'], vector: vector(0, 1) },
    ]);
    expect(stored).toBe(1);
    expect(await cosineTo(subject(), vector(1), 'a#0')).toBeCloseTo(1, 5);
    expect(await cosineTo(subject(), vector(0, 1), 'a#1')).toBeCloseTo(1, 5);
    expect(await subject().store.vectors.status('content')).toEqual({ complete: 2, pending: 0 });
  });

  it('keeps rows that another program imports between `pending` and `put`', async () => {
    const { harness, store } = subject();
    await ingest(subject(), document('a', ['copper']));
    const [pending] = await store.vectors.pending('content', 10);
    await outsideOf(harness).plantVector('a#0', vector(0.6, 0.8), harness.model);
    expect(await put(subject(), pending?.id ?? '', 'copper', vector(0, 0, 1))).toBe(0);
    expect(await cosineTo(subject(), vector(0.6, 0.8), 'a#0')).toBeCloseTo(1, 5);
  });

  it.each<readonly [string, Vector]>([
    ['of another size', new Float32Array(3).fill(1)],
    ['with no values', new Float32Array(0)],
    ['with a value that is no number', vector(1, Number.NaN)],
    ['with an infinite value', vector(1, Number.POSITIVE_INFINITY)],
    ['of length 0', vector()],
  ])('leaves out a vector %s and stores the others', async (_, bad) => {
    const { store } = subject();
    await ingest(subject(), document('a', ['copper', 'walnut']));
    const stored = await store.vectors.put('content', [
      { id: 'a#0', texts: ['copper'], vector: bad },
      { id: 'a#1', texts: ['walnut'], vector: vector(1) },
    ]);
    expect(stored).toBe(1);
    expect(await store.vectors.pending('content', 10)).toEqual([{ id: 'a#0', texts: ['copper'] }]);
  });

  it('skips a chunk that was deleted or whose text has changed', async () => {
    const { store } = subject();
    await ingest(subject(), document('a', [draft('copper', { heading: 'metal' })]));
    expect(await put(subject(), 'gone#0', 'metal\ncopper', vector(1))).toBe(0);
    expect(await put(subject(), 'a#0', 'copper', vector(1))).toBe(0);
    const texts = ['metal\ncopper', 'more'];
    expect(await store.vectors.put('content', [{ id: 'a#0', texts, vector: vector(1) }])).toBe(0);
    expect(await put(subject(), 'a#0', 'metal\ncopper', vector(1))).toBe(1);
    expect(await store.vectors.put('content', [])).toBe(0);
  });

  it('waits for vectors of chunks without one, newest first', async () => {
    const { store } = subject();
    for (const file of ['b', 'c', 'a']) await ingest(subject(), document(file, [file]));
    await put(subject(), 'c#0', 'c', vector(1));
    const pending = [
      { id: 'a#0', texts: ['a'] },
      { id: 'b#0', texts: ['b'] },
    ];
    expect(await store.vectors.pending('content', 10)).toEqual(pending);
    expect(await store.vectors.pending('content', 1)).toEqual(pending.slice(0, 1));
    expect(await store.vectors.status('content')).toEqual({ complete: 1, pending: 2 });
  });

  it('waits first for vectors of chunks that were retrieved', async () => {
    const { harness, store } = subject();
    for (const file of ['b', 'c', 'a']) await ingest(subject(), document(file, [file]));
    harness.clock.advance(1000);
    await store.chunks.record(['c#0'], harness.clock.now());
    harness.clock.advance(1000);
    await store.chunks.record(['b#0'], harness.clock.now());
    const pending = await store.vectors.pending('content', 10);
    expect(pending.map(({ id }) => id)).toEqual(['b#0', 'c#0', 'a#0']);
  });

  it('has nothing in an empty store', async () => {
    const { vectors } = subject().store;
    expect(await vectors.pending('content', 10)).toEqual([]);
    expect(await vectors.status('content')).toEqual({ complete: 0, pending: 0 });
    expect(await vectors.nearest(vector(1), { sourceTypes: 'all' }, 10)).toEqual([]);
  });

  it.each<readonly [string, Vector, string | undefined]>([
    ['of another model', vector(1), 'another-model'],
    ['of another size', new Float32Array(768).fill(0.1), undefined],
  ])('does not see a planted vector %s', async (_, planted, model) => {
    const { harness, store } = subject();
    await ingest(subject(), document('a', ['copper']));
    await outsideOf(harness).plantVector('a#0', planted, model ?? harness.model);

    expect(await cosineTo(subject(), vector(1), 'a#0')).toBeUndefined();
    expect(await store.vectors.nearest(vector(1), { sourceTypes: 'all' }, 10)).toEqual([]);
    expect(await store.vectors.pending('content', 10)).toEqual([
      { id: 'a#0', texts: ['copper'], ...(model && { hasOtherModel: true }) },
    ]);
    expect(await store.vectors.status('content')).toEqual({ complete: 0, pending: 1 });

    expect(await put(subject(), 'a#0', 'copper', vector(1))).toBe(1);
    expect(await cosineTo(subject(), vector(1), 'a#0')).toBeCloseTo(1, 5);
  });
}
