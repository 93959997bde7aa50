import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type TransformersEmbedder,
  threadsFor,
} from '../../../src/adapters/transformers/model/transformers-embedder.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { writeTinyModel } from '../../support/tiny-model.js';
import { useModels } from '../../support/tiny-model-embedder.js';
import { writeLightWorker } from '../../support/tiny-model-worker.js';

/** A worker whose vectors tell the number in the text, and the thread that made them. */
const TELLING = `((id) => new Proxy({}, { get: (_, text) =>
  text === 'trial' ? undefined : new Float32Array(384).fill(Number(text)).fill(id, 0, 1),
}))((await import('node:worker_threads')).threadId)`;
const TEXTS = ['1', '2', '3', '4', '5', '6', '7', '8'];

const models = useModels();
let clock: FixedClock;
let embedder: TransformersEmbedder;

beforeEach(async () => {
  await writeTinyModel(models.directory());
  const workerFile = await writeLightWorker(models.directory(), TELLING);
  clock = new FixedClock();
  embedder = models.make({ workerFile, clock, batchThreads: 2 });
});

describe('the threads for batches', () => {
  it('share the texts of a batch, whose vectors come in their order', async () => {
    expect((await embedBatch(TEXTS)).values).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect((await embedByBoth()).values).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('are no more than there are texts', async () => {
    const { threads: first } = await embedBatch(['1']);
    const { threads: second } = await embedBatch(['2']);
    expect(second).toEqual(first);
  });

  it('take a query while its own thread is not loaded', async () => {
    const { threads } = await embedByBoth();
    expect(embedder.isReady()).toBe(true);
    const [first] = await embedder.embed('7');
    expect(threads).toContain(first);
    await vi.waitFor(async () => expect(threads).not.toContain((await embedder.embed('7'))[0]));
  });

  it('end after a minute without work, and are started again', async () => {
    const { threads: before } = await embedByBoth();
    clock.advance(59_999);
    const { threads: still } = await embedBatch(TEXTS);
    expect(new Set(still)).toEqual(new Set(before));
    clock.advance(59_999);
    const { threads: kept } = await embedBatch(['1']);
    expect(before).toContain(kept[0]);
    clock.advance(60_000);
    await new Promise(setImmediate);
    const { threads: after } = await embedBatch(TEXTS);
    expect(after.filter((id) => before.includes(id))).toEqual([]);
  });
});

it.each([
  { cores: 1, gigabytes: 64, background: 1, foreground: 1 },
  { cores: 2, gigabytes: 8, background: 1, foreground: 2 },
  { cores: 3, gigabytes: 8, background: 2, foreground: 3 },
  { cores: 32, gigabytes: 64, background: 8, foreground: 32 },
  { cores: 8, gigabytes: 2, background: 2, foreground: 2 },
  { cores: 8, gigabytes: 0.25, background: 1, foreground: 1 },
])(
  '$cores cores and $gigabytes GB have $background threads in the background, $foreground where somebody waits',
  ({ cores, gigabytes, background, foreground }) => {
    const machine = { cores, memoryBytes: gigabytes * 2 ** 30 };
    expect(threadsFor('background', machine)).toBe(background);
    expect(threadsFor('foreground', machine)).toBe(foreground);
  },
);

/** The second thread may be loaded later than the first has embedded everything. */
function embedByBoth() {
  return vi.waitFor(
    async () => {
      const batch = await embedBatch(TEXTS);
      expect(new Set(batch.threads).size).toBe(2);
      return batch;
    },
    { timeout: 20_000 },
  );
}

async function embedBatch(texts: readonly string[]) {
  const vectors = await embedder.embedBatch(texts);
  return { values: vectors.map((vector) => vector[1]), threads: vectors.map(([id]) => id) };
}
