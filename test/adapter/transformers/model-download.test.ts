import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { redirect, WEIGHTS } from '../../support/model-hub.js';
import { useDownloads } from '../../support/model-hub-scene.js';
import { TINY_MODEL, tinyModelFiles, writeTinyModel } from '../../support/tiny-model.js';

const FILES = [...tinyModelFiles().keys()].toSorted();
/** Four more are asked for, which a model may lack. */
const FILES_ASKED = tinyModelFiles().size + 4;
const scene = useDownloads();

describe('a download that succeeds', () => {
  it('happens at the first call, leaves the files, and is not repeated', async () => {
    const logger = new SilentLogger();
    const embedder = scene.make({ logger });
    expect(embedder.status().state).toBe('idle');
    const vector = await embedder.embed('apple');
    expect(await scene.modelFiles()).toEqual(FILES);
    expect(await readdir(scene.modelsDirectory())).toEqual(['tests']);
    expect(logger.messages('info')).toHaveLength(3);
    const asked = scene.hub().requests.length;
    expect(await scene.make().embed('apple')).toEqual(vector);
    expect(scene.hub().requests).toHaveLength(asked);
  });

  it('is made once for both lanes', async () => {
    const embedder = scene.makeLight();
    await Promise.all([embedder.embed('apple'), embedder.embedBatch(['apple'])]);
    expect(scene.hub().requests).toHaveLength(FILES_ASKED);
  });

  it('follows redirects, and says how far it is', async () => {
    const embedder = scene.makeLight();
    const content = tinyModelFiles().get(WEIGHTS) as Buffer;
    const [total, half] = [content.length, Math.floor(content.length / 2)];
    scene.hub().answer(WEIGHTS, redirect('/cdn/weights'));
    const finish = new Promise<() => void>((resolve) => {
      scene.hub().answer('/cdn/weights', (response) => {
        response.setHeader('content-length', total).write(content.subarray(0, half));
        resolve(() => response.end(content.subarray(half)));
      });
    });
    const embedded = embedder.embed('apple');
    const finishDownload = await finish;
    const download = { done: half, total };
    await vi.waitFor(
      () => expect(embedder.status()).toMatchObject({ state: 'loading', download }),
      10_000,
    );
    finishDownload();
    await embedded;
    expect(embedder.status()).toMatchObject({ state: 'ready', runtime: 'wasm' });
  });

  it('fetches missing files, and leaves those that were put there by hand', async () => {
    await writeTinyModel(scene.modelsDirectory());
    const config = `${tinyModelFiles().get('config.json')} `;
    await writeFile(join(scene.folder(), 'config.json'), config);
    await rm(join(scene.folder(), 'tokenizer.json'));
    await scene.make().embed('apple');
    expect(scene.hub().requests).toEqual([`/${TINY_MODEL}/resolve/main/tokenizer.json`]);
    expect(await readFile(join(scene.folder(), 'config.json'), 'utf8')).toBe(config);
  });

  it('never replaces files that were put there by hand', async () => {
    await writeTinyModel(scene.modelsDirectory());
    await writeFile(join(scene.folder(), WEIGHTS), 'not a model');
    const embedder = scene.make();
    for (const _ of [1, 2]) {
      await expect(embedder.embed('apple')).rejects.toThrow(/create a session/);
      scene.clock().advance(1000);
    }
    expect(scene.hub().requests).toEqual([]);
  });

  it('can be made by two embedders at once', async () => {
    const [first, second] = [scene.makeLight(), scene.makeLight()];
    const vectors = await Promise.all([first.embed('apple'), second.embed('apple')]);
    expect(vectors[0]).toEqual(vectors[1]);
    expect(await readdir(scene.modelsDirectory())).toEqual(['tests']);
    await scene.makeLight().embed('apple');
  });
});
