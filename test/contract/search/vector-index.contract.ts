import { expect } from 'vitest';
import { document, vector } from '../../support/chunks.js';
import { type ContractOptions, contractSuite, type Suite } from '../harness/contract-suite.js';
import { ingest, ingestVectors } from '../harness/steps.js';
import { declareComparing } from './vector-index-comparing.contract.js';
import { declareStoring } from './vector-index-storing.contract.js';

/** What every VectorIndex does. Tested with content vectors where the kind makes no difference. */
export function describeVectorIndex(name: string, options: ContractOptions): void {
  contractSuite(`VectorIndex: ${name}`, options, (suite) => {
    declareStoring(suite);
    declareComparing(suite);
    declareQuestionVectors(suite);
  });
}

/** What is different for the vectors of questions. */
function declareQuestionVectors({ it, subject }: Suite): void {
  it('waits only for chunks that have questions, and embeds those', async () => {
    const { store } = subject();
    for (const file of ['a', 'b', 'c']) await ingest(subject(), document(file, [file]));
    await store.questions.save({ id: 'a#0', text: 'a' }, ['Why a?', 'How a?']);
    await store.questions.save({ id: 'c#0', text: 'c' }, ['Why c?']);
    expect(await store.questionVectors.pending(10)).toEqual([
      { chunkId: 'c#0', texts: ['Why c?'] },
      { chunkId: 'a#0', texts: ['Why a?', 'How a?'] },
    ]);
    expect(await store.questionVectors.pending(1)).toHaveLength(1);
  });

  it('stores vectors separately from those of the contents', async () => {
    const { store } = subject();
    await ingestVectors(subject(), { a: vector(1) });
    const entry = { chunkId: 'a#0', texts: ['Why?'], vector: vector(0, 1) };
    expect(await store.questionVectors.put([entry])).toBe(0);
    await store.questions.save({ id: 'a#0', text: 'a' }, ['Why?']);
    expect(await store.questionVectors.put([{ ...entry, vector: vector() }])).toBe(0);
    expect(await store.questionVectors.put([{ ...entry, texts: ['How?'] }])).toBe(0);
    expect(await store.questionVectors.put([entry])).toBe(1);

    const content = await store.vectors.similarities(vector(1), ['a#0']);
    const questions = await store.questionVectors.similarities(vector(1), ['a#0']);
    expect(content.get('a#0')).toBeCloseTo(1, 5);
    expect(questions.get('a#0')).toBeCloseTo(0, 5);
    expect(await store.questionVectors.pending(10)).toEqual([]);
  });

  it('counts chunks without a vector as pending, with or without questions', async () => {
    const { store } = subject();
    await ingest(subject(), document('a', ['a', 'b', 'c']));
    for (const [id, text] of [
      ['a#0', 'a'],
      ['a#1', 'b'],
    ] as const) {
      await store.questions.save({ id, text }, ['Why?']);
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
      await store.questions.save({ id: `${file}#0`, text: file }, ['Why?']);
      await store.questionVectors.put([{ chunkId: `${file}#0`, texts: ['Why?'], vector: values }]);
    }
    const nearest = await store.questionVectors.nearest(vector(0, 1), { sourceTypes: 'all' }, 10);
    expect(nearest.map(({ chunkId }) => chunkId)).toEqual(['b#0', 'a#0']);
  });
}
