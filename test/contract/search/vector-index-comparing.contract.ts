import { expect } from 'vitest';
import { cosineSimilarity, type Vector } from '../../../src/domain/ranking/vector.js';
import { document, draft, near, scattered, vector } from '../../support/chunks.js';
import type { Suite } from '../harness/contract-suite.js';
import { ingest, ingestManyVectors, ingestVectors, put } from '../harness/steps.js';

/** Tests of comparing vectors. */
export function declareComparing({ it, subject }: Suite): void {
  it('returns the similarity of the given chunks, from -1 to 1, without those that have no vector', async () => {
    await ingestVectors(subject(), { a: vector(1), b: vector(-1), c: vector(1, 1) });
    await ingest(subject(), document('d', ['d']));
    const ids = ['d#0', 'c#0', 'unknown#0', 'a#0', 'b#0'];
    const similarities = await subject().store.vectors.similarities('content', vector(2), ids);
    expect([...similarities.keys()].toSorted()).toEqual(['a#0', 'b#0', 'c#0']);
    expect(similarities.get('a#0')).toBeCloseTo(1, 5);
    expect(similarities.get('b#0')).toBeCloseTo(-1, 5);
    expect(similarities.get('c#0')).toBeCloseTo(Math.SQRT1_2, 5);
    expect(await subject().store.vectors.similarities('content', vector(1), [])).toEqual(new Map());
  });

  it.each<readonly [string, (seed: number) => Vector]>([
    ['scattered', scattered],
    ['nearly the same', (seed) => near(scattered(0), seed)],
  ])('finds the exact nearest of chunks that are %s', async (_, make) => {
    const vectors = Array.from({ length: 200 }, (_, i) => make(i));
    await ingestManyVectors(subject(), vectors);
    const query = make(1000);
    const exact = vectors
      .map((values, i) => ({ chunkId: `s#${i}`, cosine: cosineSimilarity(query, values) }))
      .toSorted((a, b) => b.cosine - a.cosine)
      .slice(0, 20);
    const nearest = await subject().store.vectors.nearest(query, { sourceTypes: 'all' }, 20);
    expect(nearest).toEqual(
      exact.map(({ chunkId, cosine }) => ({ chunkId, cosine: expect.closeTo(cosine, 5) })),
    );
  });

  it('finds the chunks that are nearest to one, by its vector', async () => {
    await ingestVectors(subject(), { a: vector(1), b: vector(0, 1), c: vector(1, 1) });
    await ingest(subject(), document('d', ['d']));
    const { vectors } = subject().store;
    const nearest = await vectors.nearest('b#0', { sourceTypes: 'all' }, 2);
    expect(nearest.map(({ chunkId }) => chunkId)).toEqual(['b#0', 'c#0']);
    expect(await vectors.nearest('d#0', { sourceTypes: 'all' }, 2)).toEqual([]);
    expect(await vectors.nearest('unknown#0', { sourceTypes: 'all' }, 2)).toEqual([]);
  });

  it('orders equally near chunks by id', async () => {
    await ingestVectors(subject(), { c: vector(1), a: vector(1), d: vector(0, 1), b: vector(1) });
    const nearest = await subject().store.vectors.nearest(vector(1), { sourceTypes: 'all' }, 3);
    expect(nearest.map(({ chunkId }) => chunkId)).toEqual(['a#0', 'b#0', 'c#0']);
  });

  it('filters by source type, source and tags before it limits', async () => {
    const { store } = subject();
    await ingestVectors(subject(), { a: vector(1), b: vector(1, 1) });
    const tagged = draft('c', { tags: ['db', 'lock'] });
    await ingest(subject(), document('c', [tagged], 'reflection'));
    await put(subject(), 'c#0', 'c', vector(0, 1));
    const nearest = async (filter: Parameters<typeof store.vectors.nearest>[1]) =>
      (await store.vectors.nearest(vector(1), filter, 1)).map(({ chunkId }) => chunkId);
    expect(await nearest({ sourceTypes: 'all' })).toEqual(['a#0']);
    expect(await nearest({ sourceTypes: ['reflection'] })).toEqual(['c#0']);
    expect(await nearest({ sourceTypes: [] })).toEqual([]);
    expect(await nearest({ sourceTypes: 'all', tags: ['lock', 'db'] })).toEqual(['c#0']);
    expect(await nearest({ sourceTypes: 'all', tags: ['lock', 'DB'] })).toEqual([]);
    expect(await nearest({ sourceTypes: ['file'], excludedSources: ['a'] })).toEqual(['b#0']);
  });

  it('returns the cosines of all chunks with a vector if there are few', async () => {
    const { vectors } = subject().store;
    await ingest(subject(), document('x', ['x']));
    expect(await vectors.similarities('content', vector(1), 'sample')).toEqual(new Map());
    await ingestVectors(subject(), {
      a: vector(1),
      b: vector(0, 1),
      c: vector(-1),
      d: vector(1),
    });
    const sample = await vectors.similarities('content', vector(5), 'sample');
    const expected = { 'a#0': 1, 'b#0': 0, 'c#0': -1, 'd#0': 1 };
    expect([...sample.keys()].toSorted()).toEqual(Object.keys(expected));
    for (const [id, cosine] of Object.entries(expected))
      expect(sample.get(id)).toBeCloseTo(cosine, 5);
  });

  it.each([
    ['zero', vector(0)],
    ['not finite', vector(Number.NaN)],
    ['of another dimension', new Float32Array([1, 2, 3])],
  ])('finds nothing similar to a query that is %s', async (_, query) => {
    const { vectors } = subject().store;
    await ingestVectors(subject(), { a: vector(1), b: vector(0, 1) });
    expect(await vectors.similarities('content', query, ['a#0'])).toEqual(new Map());
    expect(await vectors.nearest(query, { sourceTypes: 'all' }, 10)).toEqual([]);
    expect(await vectors.similarities('content', query, 'sample')).toEqual(new Map());
  });

  it('finds vectors stored since the previous lookup, each once', async () => {
    const { store } = subject();
    const nearest = async () =>
      (await store.vectors.nearest(vector(1), { sourceTypes: 'all' }, 10)).map(
        ({ chunkId }) => chunkId,
      );
    await ingestVectors(subject(), { a: vector(1) });
    expect(await nearest()).toEqual(['a#0']);
    await ingestVectors(subject(), { b: vector(0, 1), c: vector(1, 1) });
    expect(await nearest()).toEqual(['a#0', 'c#0', 'b#0']);
    await store.chunks.replaceSources([{ sourceFile: 'a', document: undefined }]);
    expect(await nearest()).toEqual(['c#0', 'b#0']);
    await ingestVectors(subject(), { e: vector(-1) });
    expect(await nearest()).toEqual(['c#0', 'b#0', 'e#0']);
    await ingestVectors(subject(), { d: vector(1) });
    expect(await nearest()).toEqual(['d#0', 'c#0', 'b#0', 'e#0']);
  });

  it('returns the new ids of chunks that swapped places', async () => {
    const { store } = subject();
    await ingest(subject(), document('a', ['copper', 'walnut']));
    await put(subject(), 'a#0', 'copper', vector(1));
    await put(subject(), 'a#1', 'walnut', vector(0, 1));
    const nearest = () => store.vectors.nearest(vector(1), { sourceTypes: 'all' }, 1);
    expect(await nearest()).toMatchObject([{ chunkId: 'a#0', cosine: 1 }]);
    await ingest(subject(), document('a', ['walnut', 'copper']));
    expect(await nearest()).toMatchObject([{ chunkId: 'a#1', cosine: 1 }]);
  });
}
