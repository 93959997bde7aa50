import { describe, expect, it } from 'vitest';
import { QueryVectors } from '../../../src/app/search/query-vectors.js';
import { QUERY_VECTORS_KEPT } from '../../../src/domain/limits.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';

const NEVER = new AbortController().signal;

describe('the vector of a query', () => {
  it('is made once, however often it is asked for', async () => {
    const { embedder, vectors } = world();
    const first = await vectors.of('wal', NEVER);
    expect(await vectors.of('wal', NEVER)).toBe(first);
    expect(first).toEqual(await embedder.embed('wal'));
    await vectors.of('Wal', NEVER);
    expect(embedder.embedded).toEqual(['wal', 'wal', 'Wal']);
  });

  it('is made once for all who ask at the same time', async () => {
    const { embedder, vectors } = world();
    embedder.hold();
    const asked = [1, 2, 3].map(() => vectors.of('wal', NEVER));
    embedder.release();
    const [first, ...others] = await Promise.all(asked);
    for (const other of others) expect(other).toBe(first);
    expect(embedder.embedded).toEqual(['wal']);
  });

  it('still comes for those who wait when another has given up', async () => {
    const { embedder, vectors } = world();
    const impatient = new AbortController();
    embedder.hold();
    const [given, kept] = [vectors.of('wal', impatient.signal), vectors.of('wal', NEVER)];
    impatient.abort();
    await expect(given).rejects.toBe(impatient.signal.reason);
    embedder.release();
    expect(await kept).toHaveLength(embedder.dimensions);
    expect(embedder.embedded).toEqual(['wal']);
  });

  it('is no longer made when all have given up, and is made again for the next', async () => {
    const signals: AbortSignal[] = [];
    const fake = FakeEmbedder.ready();
    const embed = (text: string, signal?: AbortSignal) => {
      if (signal !== undefined) signals.push(signal);
      return fake.embed(text, signal);
    };
    const vectors = new QueryVectors({ embed });
    const impatient = new AbortController();
    fake.hold();
    const asked = [1, 2].map(() => vectors.of('wal', impatient.signal));
    impatient.abort();
    await Promise.allSettled(asked);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const again = vectors.of('wal', NEVER);
    fake.release();
    expect(await again).toHaveLength(fake.dimensions);
  });

  it('is made again after a failure', async () => {
    const { embedder, vectors } = world();
    embedder.fail();
    await expect(vectors.of('wal', NEVER)).rejects.toMatchObject({ code: 'model_unavailable' });
    embedder.recover();
    expect(await vectors.of('wal', NEVER)).toHaveLength(embedder.dimensions);
  });

  it('is forgotten when so many others were used since', async () => {
    const { embedder, vectors } = world();
    await vectors.of('forgotten', NEVER);
    await vectors.of('used', NEVER);
    for (let i = 0; i < QUERY_VECTORS_KEPT - 2; i += 1) await vectors.of(`other ${i}`, NEVER);
    await vectors.of('used', NEVER);
    expect(embedder.embedded).toHaveLength(QUERY_VECTORS_KEPT);
    await vectors.of('one more', NEVER);
    await vectors.of('another', NEVER);
    embedder.embedded.length = 0;
    await vectors.of('used', NEVER);
    await vectors.of('forgotten', NEVER);
    expect(embedder.embedded).toEqual(['forgotten']);
  });
});

function world() {
  const embedder = FakeEmbedder.ready();
  return { embedder, vectors: new QueryVectors(embedder) };
}
