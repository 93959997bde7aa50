import { expect } from 'vitest';
import { HEADER_WEIGHT } from '../../../src/domain/limits.js';
import { cosineSimilarity, type Vector } from '../../../src/domain/ranking/vector.js';
import { document, draft, vector } from '../../support/chunks.js';
import type { Subject, Suite } from '../harness/contract-suite.js';
import { askQuestions, cosineTo, ingest, ingestVectors, put } from '../harness/steps.js';

/** Tests of generating questions, and of how the vectors of questions differ from those of contents. */
export function declareQuestions({ it, subject }: Suite): void {
  it('waits for questions of chunks without any, newest first, by heading and content', async () => {
    const { vectors } = subject().store;
    await ingest(subject(), document('a', [draft('a', { heading: 'heading' })]));
    for (const file of ['b', 'c']) await ingest(subject(), document(file, [file]));
    await askQuestions(subject(), 'b#0', 'b', ['Why b?']);
    const expected = [
      { id: 'c#0', texts: ['c'] },
      { id: 'a#0', texts: ['heading\na'] },
    ];
    expect(await vectors.pending('questionTexts', 10)).toEqual(expected);
    expect(await vectors.pending('questionTexts', 1)).toEqual(expected.slice(0, 1));
  });

  it('stores questions in their order, once, and returns them with the chunk', async () => {
    const { chunks } = subject().store;
    await ingest(subject(), document('a', ['a', 'b']));
    const questions = ['Why?', 'How "so"?', 'Wörüm?'];
    expect(await askQuestions(subject(), 'a#0', 'a', questions)).toBe(1);
    expect(await askQuestions(subject(), 'a#0', 'a', ['Again?'])).toBe(0);
    expect(await chunks.getChunks(['a#0', 'a#1'], 'questions')).toMatchObject([
      { id: 'a#0', questions },
      { id: 'a#1', questions: [] },
    ]);
    expect((await chunks.getChunks(['a#0']))[0]).not.toHaveProperty('questions');
  });

  it('drops questions for a text that was deleted or has changed', async () => {
    await ingest(subject(), document('a', [draft('new', { heading: 'x' })]));
    for (const [id, text] of [
      ['a#0', 'new'],
      ['a#0', 'x\nold'],
      ['gone#0', 'x\nnew'],
    ] as const)
      expect(await askQuestions(subject(), id, text, ['Why?'])).toBe(0);
    expect(await subject().store.vectors.pending('questions', 10)).toEqual([]);
  });

  it('waits only for vectors of questions that were stored', async () => {
    const { vectors } = subject().store;
    for (const file of ['a', 'b', 'c']) await ingest(subject(), document(file, [file]));
    await askQuestions(subject(), 'a#0', 'a', ['Why a?', 'How a?']);
    await askQuestions(subject(), 'c#0', 'c', ['Why c?']);
    expect(await vectors.pending('questions', 10)).toEqual([
      { id: 'c#0', texts: ['Why c?'] },
      { id: 'a#0', texts: ['Why a?', 'How a?'] },
    ]);
    expect(await vectors.pending('questions', 1)).toHaveLength(1);
  });

  it('stores their vectors separately from those of the contents', async () => {
    const { vectors } = subject().store;
    await ingestVectors(subject(), { a: vector(1) });
    const entry = { id: 'a#0', texts: ['Why?'], vector: vector(0, 1) };
    expect(await vectors.put('questions', [entry])).toBe(0);
    await askQuestions(subject(), 'a#0', 'a', ['Why?']);
    expect(await vectors.put('questions', [{ ...entry, vector: vector() }])).toBe(0);
    expect(await vectors.put('questions', [{ ...entry, texts: ['How?'] }])).toBe(0);
    expect(await vectors.put('questions', [entry])).toBe(1);
    const content = await vectors.similarities('content', vector(1), ['a#0']);
    const questions = await vectors.similarities('questions', vector(1), ['a#0']);
    expect(content.get('a#0')).toBeCloseTo(1, 5);
    expect(questions.get('a#0')).toBeCloseTo(0, 5);
    expect(await vectors.pending('questions', 10)).toEqual([]);
  });

  it('counts chunks without a vector as pending, with or without questions', async () => {
    const { vectors } = subject().store;
    await ingest(subject(), document('a', ['a', 'b', 'c']));
    await askQuestions(subject(), 'a#0', 'a', ['Why?']);
    await askQuestions(subject(), 'a#1', 'b', ['Why?']);
    await vectors.put('questions', [{ id: 'a#0', texts: ['Why?'], vector: vector(1) }]);
    expect(await vectors.status('questions')).toEqual({ complete: 1, pending: 2 });
  });
}

/** Tests of comparing the headers of sources together with the contents of chunks. */
export function declareHeaders({ it, subject }: Suite): void {
  const pending = async () =>
    (await subject().store.vectors.pending('headers', 10)).flatMap(({ texts }) => texts);
  const putHeader = (text: string, values: Vector) =>
    subject().store.vectors.put('headers', [{ id: 'walnut', texts: [text], vector: values }]);

  it('has the title and path of each source whose path or title holds words', async () => {
    await ingest(subject(), { ...document('docs/a-b.md', ['x']), names: { title: 'Locks' } });
    await ingest(subject(), document('.knowledge/features/pool-size/reflection.md', ['x']));
    await ingest(subject(), document('1', ['x']));
    expect((await pending()).toSorted()).toEqual(['Locks\ndocs/a-b.md', 'pool-size']);
    expect(await subject().store.vectors.pending('headers', 1)).toHaveLength(1);
  });

  it('compares a header with a query together with the vectors of the chunks', async () => {
    await ingestTwo(subject());
    const { vectors } = subject().store;
    expect(await putHeader('walnut', vector(0, 5))).toBe(1);
    expect(await pending()).toEqual(['copper']);
    const expected = new Map([
      ['walnut#0', cosineSimilarity(QUERY, vector(1, HEADER_WEIGHT))],
      ['copper#0', cosineSimilarity(QUERY, vector(1))],
    ]);
    for (const [id, cosine] of expected)
      expect(await cosineTo(subject(), QUERY, id)).toBeCloseTo(cosine, 5);
    const nearest = await vectors.nearest(QUERY, { sourceTypes: 'all' }, 2);
    expect(nearest.map(({ chunkId }) => chunkId)).toEqual([...expected.keys()]);
    for (const { chunkId, cosine } of nearest)
      expect(cosine).toBeCloseTo(expected.get(chunkId) ?? 9, 6);
    const filtered = await vectors.nearest(QUERY, { sourceTypes: ['file'], folders: [] }, 2);
    expect(filtered).toEqual([]);
    const sample = await vectors.similarities('content', QUERY, 'sample');
    expect(sample.size).toBe(2);
    for (const [id, cosine] of expected) expect(sample.get(id)).toBeCloseTo(cosine, 5);
    const [own] = await vectors.nearest('walnut#0', { sourceTypes: 'all' }, 1);
    expect(own).toMatchObject({ chunkId: 'copper#0', cosine: 1 });
  });

  it('counts for vectors that are stored later, and that of a new header once it is there', async () => {
    await ingest(subject(), document('walnut', ['w']));
    await putHeader('walnut', vector(0, 1));
    await put(subject(), 'walnut#0', 'w', vector(1));
    await expectCosine(vector(1, HEADER_WEIGHT));
    const renamed = { ...document('walnut', ['w']), contentHash: 'other', names: { title: 'Nut' } };
    await ingest(subject(), renamed);
    expect(await pending()).toEqual(['Nut\nwalnut']);
    expect(await putHeader('walnut', vector(0, 0, 1))).toBe(0);
    expect(await putHeader('Nut\nwalnut', vector(0, 0, 1))).toBe(1);
    await expectCosine(vector(1, 0, HEADER_WEIGHT));
  });

  it('counts a chunk as pending until the header of its source has a vector, or gets none', async () => {
    await ingestTwo(subject());
    const status = (...withoutHeader: readonly string[]) =>
      subject().store.vectors.status('content', withoutHeader);
    expect(await status()).toEqual({ complete: 0, pending: 2 });
    expect(await status('walnut')).toEqual({ complete: 1, pending: 1 });
    expect(await status('walnut', 'copper')).toEqual({ complete: 2, pending: 0 });
    await putHeader('walnut', vector(0, 5));
    expect(await status()).toEqual({ complete: 1, pending: 1 });
    expect(await status('copper')).toEqual({ complete: 2, pending: 0 });
    const renamed = { ...document('walnut', ['w']), contentHash: 'other', names: { title: 'Nut' } };
    await ingest(subject(), renamed);
    expect(await status('copper')).toEqual({ complete: 1, pending: 1 });
  });

  it('compares chunks without a header whose vector cannot be used', async () => {
    await ingestTwo(subject());
    for (const values of [vector(), new Float32Array(3), vector(Number.NaN)]) {
      expect(await putHeader('walnut', values)).toBe(0);
      expect((await pending()).toSorted()).toEqual(['copper', 'walnut']);
      await expectCosine(vector(1));
    }
  });

  async function expectCosine(compared: Vector): Promise<void> {
    const cosine = cosineSimilarity(QUERY, compared);
    expect(await cosineTo(subject(), QUERY, 'walnut#0')).toBeCloseTo(cosine, 5);
  }
}

const QUERY = vector(2, 1);

async function ingestTwo(subject: Subject): Promise<void> {
  for (const file of ['copper', 'walnut']) {
    await ingest(subject, document(file, [file]));
    await put(subject, `${file}#0`, file, vector(1));
  }
}
