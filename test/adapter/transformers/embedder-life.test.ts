import { setMaxListeners } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ModelRunError } from '../../../src/adapters/transformers/model/model-thread.js';
import { FixedClock } from '../../fakes/fixed-clock.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { TINY_MODEL, writeTinyModel } from '../../support/tiny-model.js';
import { useModels } from '../../support/tiny-model-embedder.js';
import { writeLightWorker } from '../../support/tiny-model-worker.js';

const UNAVAILABLE = { code: 'model_unavailable' };
const models = useModels();

describe('life of the transformers embedder', () => {
  it('is absent, and says what to do, if the files are missing and downloads are forbidden', async () => {
    const embedder = models.make();
    expect(embedder.status().state).toBe('absent');
    await expect(embedder.embed('apple')).rejects.toThrow(
      /files are missing in .*; put them there, or allow downloads/,
    );
    expect(embedder.status().state).toBe('absent');
  });

  it('loads an installed model without downloads', async () => {
    const embedder = models.make({ downloads: 'allowed' });
    embedder.load('installed');
    expect(embedder.status().state).toBe('idle');
    await writeTinyModel(models.directory());
    embedder.load('installed');
    expect(embedder.status().state).toBe('loading');
    expect(embedder.status().failure).toBeUndefined();
  });

  it('uses files that were put there later at once, without a pause', async () => {
    const clock = new FixedClock();
    const embedder = models.make({ clock });
    await expect(embedder.embed('apple')).rejects.toMatchObject(UNAVAILABLE);
    await writeTinyModel(models.directory());
    await embedder.embed('apple');
    expect(embedder.status().state).toBe('ready');
  });

  it('tries a failed load again after 1 s, then 2 s, and rejects at once in between', async () => {
    const clock = new FixedClock();
    const logger = new SilentLogger();
    await writeTinyModel(models.directory());
    await writeFile(weights(), 'not a model');
    const embedder = models.make({ clock, logger });
    for (const pauseMs of [1000, 2000, 4000]) {
      await expect(embedder.embed('apple')).rejects.toMatchObject(UNAVAILABLE);
      expect(embedder.status().state).toBe('failed');
      expect(logger.entries.at(-1)?.fields).toMatchObject({ retryInMs: pauseMs });
      clock.advance(pauseMs - 1);
      embedder.load();
      expect(embedder.status().state).toBe('failed');
      await expect(embedder.embedBatch(['apple'])).rejects.toThrow(
        /is not available: .*session\.$/,
      );
      clock.advance(1);
    }
    expect(logger.entries).toHaveLength(3);
    await writeTinyModel(models.directory());
    await embedder.embed('apple');
    expect(embedder.status().state).toBe('ready');
  });

  it('refuses a model of other dimensions', async () => {
    const workerFile = await writeWorker('{ trial: new Float32Array(768).fill(1) }');
    const embedder = models.make({ workerFile });
    await expect(embedder.embed('apple')).rejects.toThrow(/768 values instead of 384/);
    expect(embedder.status().state).toBe('failed');
  });

  it.each([
    ['values that are not finite', 'new Float32Array(384).fill(NaN)'],
    ['no direction', 'new Float32Array(384)'],
    ['too few values', 'new Float32Array(3).fill(1)'],
  ])('rejects a vector of %s and goes on', async (_, vector) => {
    const workerFile = await writeWorker(`{ bad: ${vector} }`);
    const embedder = models.make({ workerFile });
    await expect(embedder.embed('bad')).rejects.toMatchObject(UNAVAILABLE);
    expect(await embedder.embed('good')).toHaveLength(384);
  });

  it.each(['crash', 'exit', 'fail'])(
    'rejects the call of a thread that ends (%s), and starts another for the next',
    async (end) => {
      const workerFile = await writeWorker();
      const embedder = models.make({ workerFile });
      const next = embedder.embed('apple');
      await Promise.all([
        expect(embedder.embed(end)).rejects.toMatchObject(UNAVAILABLE),
        embedder.embed('disk'),
      ]);
      expect(await next).toHaveLength(384);
      expect(embedder.isReady()).toBe(true);
    },
  );

  it.each(['crash', 'exit', 'fail'])(
    'blames the text of a batch for the end of its thread (%s), and embeds the next batch',
    async (end) => {
      const embedder = models.make({ workerFile: await writeWorker() });
      await expect(embedder.embedBatch(['apple', end])).rejects.toBeInstanceOf(ModelRunError);
      expect(await embedder.embedBatch(['apple'])).toHaveLength(1);
    },
  );

  it('refuses a query while 128 are waiting, and accepts one again when they are cancelled', async () => {
    const workerFile = await writeWorker();
    const embedder = models.make({ workerFile });
    await embedder.embed('apple');
    const waiting = new AbortController();
    setMaxListeners(0, waiting.signal);
    const calls = Array.from({ length: 128 }, () => embedder.embed('hang', waiting.signal));
    const outcomes = Promise.allSettled(calls);
    await expect(embedder.embed('apple')).rejects.toMatchObject({ code: 'overloaded' });
    expect(await embedder.embedBatch(['apple'])).toHaveLength(1);
    waiting.abort();
    for (const { status } of await outcomes) expect(status).toBe('rejected');
    const accepted = embedder.embed('apple', AbortSignal.timeout(10));
    await expect(accepted).rejects.toMatchObject(UNAVAILABLE);
  });
});

function weights(): string {
  return join(models.directory(), TINY_MODEL, 'onnx/model_quantized.onnx');
}

async function writeWorker(special?: string): Promise<URL> {
  await writeTinyModel(models.directory());
  return writeLightWorker(models.directory(), special);
}
