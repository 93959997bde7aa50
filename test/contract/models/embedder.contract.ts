import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isStorable, normalize, type Vector } from '../../../src/domain/ranking/vector.js';
import type { EmbeddingModel } from '../../../src/ports/embedder.js';

type MakeEmbedder = () => EmbeddingModel;

/** The contract of `EmbeddingModel`. `makeEmbedder` must return an unused one whose model can be loaded. */
export function describeEmbedder(name: string, makeEmbedder: MakeEmbedder): void {
  describe(`EmbeddingModel: ${name}`, () => {
    describeVectors(makeEmbedder);
    describeLife(makeEmbedder);
  });
}

function describeVectors(makeEmbedder: MakeEmbedder): void {
  let embedder: EmbeddingModel;
  beforeAll(() => {
    embedder = makeEmbedder();
  });
  afterAll(() => embedder.close());

  it('returns a vector of length 1 with 384 finite values', async () => {
    const vector = await embedder.embed('apple banana');
    expect(embedder.dimensions).toBe(384);
    expectSound(vector);
  });

  it('returns the same vector for the same text, and other vectors for other texts', async () => {
    const vector = await embedder.embed('apple banana');
    expect(await embedder.embed('apple banana')).toEqual(vector);
    expect(await embedder.embed('engine')).not.toEqual(vector);
  });

  it('returns the vectors of a batch in order, each as if it were embedded alone', async () => {
    const texts = ['forest', 'apple banana cherry', 'disk'];
    const alone = await Promise.all(texts.map((text) => embedder.embed(text)));
    expect(await embedder.embedBatch(texts)).toEqual(alone);
    expect(await embedder.embedBatch(texts, 'query')).toEqual(alone);
  });

  it.each([
    ['an empty text', ''],
    ['blanks', ' \n\t '],
    ['unknown words', 'zyx 你好 🦀'],
    ['half of a surrogate pair', 'apple \ud83e'],
    ['control characters', 'apple\u0000\u0007\u200b'],
    ['one endless word', 'x'.repeat(5000)],
    ['markup of the tokenizer', '[CLS] [SEP] [MASK] ##s'],
  ])('has a vector for %s', async (_, text) => {
    expectSound(await embedder.embed(text));
  });

  it('has a vector of length 1 for a text of many windows', async () => {
    expectSound(await embedder.embed('apple banana cherry disk engine forest '.repeat(100)));
  });

  it('serves a query before a batch that was queued first', async () => {
    const order: string[] = [];
    const batch = embedder.embedBatch(Array.from({ length: 64 }, (_, i) => `apple ${i}`));
    const told = batch.then(() => order.push('batch'));
    await embedder.embed('banana').then(() => order.push('query'));
    await told;
    expect(order).toEqual(['query', 'batch']);
  });
}

function describeLife(makeEmbedder: MakeEmbedder): void {
  const made: EmbeddingModel[] = [];
  const make = (): EmbeddingModel => {
    const embedder = makeEmbedder();
    made.push(embedder);
    return embedder;
  };
  afterEach(async () => {
    await Promise.all(made.splice(0).map((embedder) => embedder.close()));
  });

  it('loads nothing before the first call, nor for an empty batch', async () => {
    const embedder = make();
    expect(await embedder.embedBatch([])).toEqual([]);
    expect(embedder.status().state).toBe('idle');
    expect(embedder.isReady()).toBe(false);
  });

  it('serves the calls made while it loads, in order, with one load', async () => {
    const embedder = make();
    embedder.load();
    expect(embedder.status().state).toBe('loading');
    const answered: string[] = [];
    const texts = ['apple', 'banana', 'cherry'];
    await Promise.all(texts.map((text) => embedder.embed(text).then(() => answered.push(text))));
    expect(answered).toEqual(texts);
    expect(embedder.status().state).toBe('ready');
    expect(embedder.isReady()).toBe(true);
  });

  it('drops a query that is aborted before, during or after embedding, and continues to work', async () => {
    const embedder = make();
    await expect(embedder.embed('apple', AbortSignal.abort())).rejects.toMatchObject({
      code: 'model_unavailable',
    });
    const waiting = new AbortController();
    const dropped = embedder.embed('apple '.repeat(5000), waiting.signal);
    const kept = embedder.embed('banana');
    waiting.abort();
    await expect(dropped).rejects.toMatchObject({ code: 'model_unavailable' });
    expectSound(await kept);
    const done = new AbortController();
    const vector = await embedder.embed('cherry', done.signal);
    done.abort();
    expect(await embedder.embed('cherry')).toEqual(vector);
  });

  it('rejects the calls under way when it is closed, and those that come later', async () => {
    const embedder = make();
    const calls = [embedder.embed('apple'), embedder.embedBatch(['banana', 'cherry'])];
    const outcomes = Promise.allSettled(calls);
    await embedder.close();
    for (const { status } of await outcomes) expect(status).toBe('rejected');
    await expect(calls[0]).rejects.toMatchObject({ code: 'model_unavailable' });
    await expect(calls[1]).rejects.toMatchObject({ code: 'model_unavailable' });
    await expect(embedder.embed('disk')).rejects.toMatchObject({ code: 'model_unavailable' });
    expect(embedder.isReady()).toBe(false);
  });

  it('can be closed twice, and a later load does no harm', async () => {
    const embedder = make();
    await Promise.all([embedder.close(), embedder.close()]);
    embedder.load();
    await embedder.close();
    expect(embedder.isReady()).toBe(false);
  });

  it('ends a batch under way when it is closed', async () => {
    const embedder = make();
    await embedder.embedBatch(['apple']);
    const batch = embedder.embedBatch(Array.from({ length: 500 }, () => 'apple '.repeat(300)));
    const outcome = expect(batch).rejects.toMatchObject({ code: 'model_unavailable' });
    await embedder.close();
    await outcome;
  });
}

function expectSound(vector: Vector): void {
  expect(isStorable(vector, 384)).toBe(true);
  const unit = normalize(vector) as Vector;
  for (let i = 0; i < vector.length; i += 1) expect(vector[i]).toBeCloseTo(unit[i] as number, 5);
}
