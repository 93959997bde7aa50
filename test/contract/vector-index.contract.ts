import { describe, expect, it } from 'vitest';
import { document, draft, vector } from '../support/chunks.js';
import type { MakeHarness } from './project-stores-harness.js';
import { cosineTo, ingest, ingestVectors, put, useSubject } from './project-stores-subject.js';
import { describeComparing } from './vector-index-comparing.contract.js';

/** What every VectorIndex does: shown on the vectors of contents where the kind makes no difference. */
export function describeVectorIndex(name: string, makeHarness: MakeHarness): void {
  describeComparing(name, makeHarness);

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
    });

    it('counts as pending whatever has no vector yet, with or without questions', async () => {
      const { store } = subject();
      await ingest(subject(), document('a', ['a', 'b', 'c']));
      for (const [id, text] of [
        ['a#0', 'a'],
        ['a#1', 'b'],
      ] as const) {
        await store.chunks.saveQuestions({ id, text }, ['Why?']);
      }
      await store.questionVectors.put([{ chunkId: 'a#0', texts: ['Why?'], vector: vector(1) }]);
      expect(await store.questionVectors.status()).toEqual({ complete: 1, pending: 2 });
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
