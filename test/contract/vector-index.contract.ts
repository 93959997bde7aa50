import { describe, expect, it } from 'vitest';
import { cosineSimilarity, type Vector } from '../../src/domain/vector.js';
import { document, draft, vector } from '../support/chunks.js';
import type { MakeHarness } from './project-stores-harness.js';
import { ingest, type Subject, useSubject } from './project-stores-subject.js';

/** What every VectorIndex does; `index` is that of contents where the kind makes no difference. */
export function describeVectorIndex(name: string, makeHarness: MakeHarness): void {
  describe(`VectorIndex, storing: ${name}`, () => {
    const subject = useSubject(makeHarness);

    it('stores a vector as one of length 1', async () => {
      await ingest(subject(), document('a', ['copper']));
      expect(await put(subject(), 'a#0', 'copper', vector(3, 4))).toBe(1);
      expect(await cosineTo(subject(), vector(3, 4), 'a#0')).toBeCloseTo(1, 5);
      expect(await cosineTo(subject(), vector(0, 10), 'a#0')).toBeCloseTo(0.8, 5);
    });

    it('overwrites a vector', async () => {
      await ingest(subject(), document('a', ['copper']));
      await put(subject(), 'a#0', 'copper', vector(1));
      expect(await put(subject(), 'a#0', 'copper', vector(0, 1))).toBe(1);
      expect(await cosineTo(subject(), vector(0, 1), 'a#0')).toBeCloseTo(1, 5);
      expect(await subject().store.vectors.status()).toEqual({ complete: 1, pending: 0 });
    });

    it.each([
      ['of another size', new Float32Array(3).fill(1)],
      ['with no values', new Float32Array(0)],
      ['with a value that is no number', vector(1, Number.NaN)],
      ['with an infinite value', vector(1, Number.POSITIVE_INFINITY)],
      ['of length 0', vector()],
    ])('leaves out a vector %s and stores the others', async (_, bad) => {
      const { store } = subject();
      await ingest(subject(), document('a', ['copper', 'walnut']));
      const stored = await store.vectors.put([
        { chunkId: 'a#0', texts: ['copper'], vector: bad },
        { chunkId: 'a#1', texts: ['walnut'], vector: vector(1) },
      ]);
      expect(stored).toBe(1);
      expect(await store.vectors.pending(10)).toEqual([{ chunkId: 'a#0', texts: ['copper'] }]);
    });

    it('leaves out a chunk that is gone or whose text is another by now', async () => {
      const { store } = subject();
      await ingest(subject(), document('a', [draft('copper', { heading: 'metal' })]));
      expect(await put(subject(), 'gone#0', 'metal\ncopper', vector(1))).toBe(0);
      expect(await put(subject(), 'a#0', 'copper', vector(1))).toBe(0);
      const texts = ['metal\ncopper', 'more'];
      expect(await store.vectors.put([{ chunkId: 'a#0', texts, vector: vector(1) }])).toBe(0);
      expect(await put(subject(), 'a#0', 'metal\ncopper', vector(1))).toBe(1);
      expect(await store.vectors.put([])).toBe(0);
    });

    it('does not lose a good vector to a bad one', async () => {
      await ingest(subject(), document('a', ['copper']));
      await put(subject(), 'a#0', 'copper', vector(1));
      expect(await put(subject(), 'a#0', 'copper', vector())).toBe(0);
      expect(await cosineTo(subject(), vector(1), 'a#0')).toBeCloseTo(1, 5);
    });

    it('waits for vectors of chunks without one, newest first', async () => {
      const { store } = subject();
      for (const file of ['b', 'c', 'a']) await ingest(subject(), document(file, [file]));
      await put(subject(), 'c#0', 'c', vector(1));
      const pending = [
        { chunkId: 'a#0', texts: ['a'] },
        { chunkId: 'b#0', texts: ['b'] },
      ];
      expect(await store.vectors.pending(10)).toEqual(pending);
      expect(await store.vectors.pending(1)).toEqual(pending.slice(0, 1));
      expect(await store.vectors.status()).toEqual({ complete: 1, pending: 2 });
    });

    it('has nothing in an empty store', async () => {
      const { vectors } = subject().store;
      expect(await vectors.pending(10)).toEqual([]);
      expect(await vectors.status()).toEqual({ complete: 0, pending: 0 });
      expect(await vectors.nearest(vector(1), { sourceTypes: 'all' }, 10)).toEqual([]);
    });

    it('uses a vector of its model that another program wrote', async () => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper']));
      await harness.plantVector('a#0', vector(0.6, 0.8), harness.model);
      expect(await cosineTo(subject(), vector(1), 'a#0')).toBeCloseTo(0.6, 5);
      expect(await store.vectors.status()).toEqual({ complete: 1, pending: 0 });
    });

    it.each([
      ['of another model', vector(1), 'another-model'],
      ['of another size', new Float32Array(768).fill(0.1), undefined],
      ['with a value that is no number', vector(1, Number.NaN), undefined],
    ])('does not see a planted vector %s', async (_, planted, model) => {
      const { harness, store } = subject();
      await ingest(subject(), document('a', ['copper']));
      await harness.plantVector('a#0', planted, model ?? harness.model);

      expect(await cosineTo(subject(), vector(1), 'a#0')).toBeUndefined();
      expect(await store.vectors.nearest(vector(1), { sourceTypes: 'all' }, 10)).toEqual([]);
      expect(await store.vectors.pending(10)).toEqual([{ chunkId: 'a#0', texts: ['copper'] }]);
      expect(await store.vectors.status()).toEqual({ complete: 0, pending: 1 });

      expect(await put(subject(), 'a#0', 'copper', vector(1))).toBe(1);
      expect(await cosineTo(subject(), vector(1), 'a#0')).toBeCloseTo(1, 5);
    });
  });

  describe(`VectorIndex, comparing: ${name}`, () => {
    const subject = useSubject(makeHarness);

    it('tells the similarity of the chunks asked for, from -1 to 1, without those that have no vector', async () => {
      await ingestVectors(subject(), { a: vector(1), b: vector(-1), c: vector(1, 1) });
      await ingest(subject(), document('d', ['d']));
      const ids = ['d#0', 'c#0', 'unknown#0', 'a#0', 'b#0'];
      const similarities = await subject().store.vectors.similarities(vector(2), ids);
      expect([...similarities.keys()].toSorted()).toEqual(['a#0', 'b#0', 'c#0']);
      expect(similarities.get('a#0')).toBeCloseTo(1, 5);
      expect(similarities.get('b#0')).toBeCloseTo(-1, 5);
      expect(similarities.get('c#0')).toBeCloseTo(Math.SQRT1_2, 5);
      expect(await subject().store.vectors.similarities(vector(1), [])).toEqual(new Map());
    });

    it('finds the exact nearest chunks', async () => {
      const vectors = Object.fromEntries(
        Array.from({ length: 60 }, (_, i) => [`s${i}`, scattered(i)]),
      );
      await ingestVectors(subject(), vectors);
      const query = scattered(1000);
      const exact = Object.entries(vectors)
        .map(([file, values]) => ({
          chunkId: `${file}#0`,
          cosine: cosineSimilarity(query, values),
        }))
        .toSorted((a, b) => b.cosine - a.cosine);

      const nearest = await subject().store.vectors.nearest(query, { sourceTypes: 'all' }, 20);

      const ids = nearest.map(({ chunkId }) => chunkId);
      expect(ids).toEqual(exact.slice(0, 20).map(({ chunkId }) => chunkId));
      for (const [i, { cosine }] of nearest.entries()) {
        expect(cosine).toBeCloseTo(exact[i]?.cosine ?? Number.NaN, 5);
      }
    });

    it('puts chunks that are equally near in the order of their ids', async () => {
      await ingestVectors(subject(), { c: vector(1), a: vector(1), d: vector(0, 1), b: vector(1) });
      const nearest = await subject().store.vectors.nearest(vector(1), { sourceTypes: 'all' }, 3);
      expect(nearest.map(({ chunkId }) => chunkId)).toEqual(['a#0', 'b#0', 'c#0']);
    });

    it('answers all there are where that is fewer than asked for', async () => {
      await ingestVectors(subject(), { a: vector(1), b: vector(-1) });
      const nearest = await subject().store.vectors.nearest(vector(1), { sourceTypes: 'all' }, 10);
      expect(nearest.map(({ chunkId }) => chunkId)).toEqual(['a#0', 'b#0']);
    });

    it('filters by source type and source before it limits', async () => {
      const { store } = subject();
      await ingestVectors(subject(), { a: vector(1), b: vector(1, 1) });
      await ingest(subject(), document('c', ['c'], 'reflection'));
      await put(subject(), 'c#0', 'c', vector(0, 1));
      const nearest = async (filter: Parameters<typeof store.vectors.nearest>[1]) =>
        (await store.vectors.nearest(vector(1), filter, 1)).map(({ chunkId }) => chunkId);
      expect(await nearest({ sourceTypes: 'all' })).toEqual(['a#0']);
      expect(await nearest({ sourceTypes: ['reflection'] })).toEqual(['c#0']);
      expect(await nearest({ sourceTypes: [] })).toEqual([]);
      expect(await nearest({ sourceTypes: ['file'], excludedSources: ['a'] })).toEqual(['b#0']);
    });

    it('forgets the vector of a chunk that is gone', async () => {
      const { store } = subject();
      await ingestVectors(subject(), { a: vector(1) });
      await store.chunks.replaceSource('a', async () => undefined);
      expect(await store.vectors.nearest(vector(1), { sourceTypes: 'all' }, 10)).toEqual([]);
      await ingest(subject(), document('a', ['a']));
      expect(await cosineTo(subject(), vector(1), 'a#0')).toBeUndefined();
    });
  });

  describe(`VectorIndex of questions: ${name}`, () => {
    const subject = useSubject(makeHarness);

    it('waits only for chunks that have questions, and embeds those', async () => {
      const { store } = subject();
      for (const file of ['a', 'b', 'c']) await ingest(subject(), document(file, [file]));
      await store.chunks.saveQuestions({ id: 'a#0', text: 'a' }, ['Why a?', 'How a?']);
      await store.chunks.saveQuestions({ id: 'c#0', text: 'c' }, ['Why c?']);
      expect(await store.questionVectors.pending(10)).toEqual([
        { chunkId: 'c#0', texts: ['Why c?'] },
        { chunkId: 'a#0', texts: ['Why a?', 'How a?'] },
      ]);
      expect(await store.questionVectors.pending(1)).toHaveLength(1);
    });

    it('stores vectors apart from those of the contents', async () => {
      const { store } = subject();
      await ingestVectors(subject(), { a: vector(1) });
      const entry = { chunkId: 'a#0', texts: ['Why?'], vector: vector(0, 1) };
      expect(await store.questionVectors.put([entry])).toBe(0);
      await store.chunks.saveQuestions({ id: 'a#0', text: 'a' }, ['Why?']);
      expect(await store.questionVectors.put([{ ...entry, vector: vector() }])).toBe(0);
      expect(await store.questionVectors.put([{ ...entry, texts: ['How?'] }])).toBe(0);
      expect(await store.questionVectors.put([entry])).toBe(1);

      const content = await store.vectors.similarities(vector(1), ['a#0']);
      const questions = await store.questionVectors.similarities(vector(1), ['a#0']);
      expect(content.get('a#0')).toBeCloseTo(1, 5);
      expect(questions.get('a#0')).toBeCloseTo(0, 5);
      expect(await store.questionVectors.pending(10)).toEqual([]);
      expect((await store.questionVectors.status()).complete).toBe(1);
    });

    it('finds the nearest questions', async () => {
      const { store } = subject();
      await ingest(subject(), document('x', ['x']));
      for (const [file, values] of [
        ['a', vector(1)],
        ['b', vector(0, 1)],
      ] as const) {
        await ingest(subject(), document(file, [file]));
        await store.chunks.saveQuestions({ id: `${file}#0`, text: file }, ['Why?']);
        await store.questionVectors.put([
          { chunkId: `${file}#0`, texts: ['Why?'], vector: values },
        ]);
      }
      const nearest = await store.questionVectors.nearest(vector(0, 1), { sourceTypes: 'all' }, 10);
      expect(nearest.map(({ chunkId }) => chunkId)).toEqual(['b#0', 'a#0']);
    });
  });
}

function put({ store }: Subject, chunkId: string, text: string, values: Vector): Promise<number> {
  return store.vectors.put([{ chunkId, texts: [text], vector: values }]);
}

async function cosineTo({ store }: Subject, query: Vector, id: string) {
  return (await store.vectors.similarities(query, [id])).get(id);
}

/** A source of one chunk for each name, with this vector. */
async function ingestVectors(subject: Subject, vectors: Readonly<Record<string, Vector>>) {
  for (const [file, values] of Object.entries(vectors)) {
    await ingest(subject, document(file, [file]));
    await put(subject, `${file}#0`, file, values);
  }
}

/** Vectors that look random and are the same every time. */
function scattered(seed: number): Vector {
  return vector(...Array.from({ length: 384 }, (_, i) => Math.sin(seed * 131 + i * i * 0.7)));
}
