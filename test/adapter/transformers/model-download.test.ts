import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EmbedderStatus } from '../../../src/ports/embedder.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { sha256, WEIGHTS, whole } from '../../support/model-hub.js';
import { DownloadScene } from '../../support/model-hub-scene.js';
import { TINY_MODEL, tinyModelFiles, writeTinyModel } from '../../support/tiny-model.js';

const FILES = ['.downloaded', ...tinyModelFiles().keys()].toSorted();
/** Four more are asked for, which a model may lack. */
const FILES_ASKED = tinyModelFiles().size + 4;
let scene: DownloadScene;

beforeEach(async () => {
  scene = await DownloadScene.set();
});
afterEach(() => scene.strike());

describe('a download that succeeds', () => {
  it('happens at the first call, leaves the files, and is not repeated', async () => {
    const logger = new SilentLogger();
    const embedder = scene.make({ logger });
    expect(embedder.status().state).toBe('idle');
    const vector = await embedder.embed('apple');
    expect(await scene.modelFiles()).toEqual(FILES);
    expect(await readdir(scene.modelsDirectory)).toEqual(['tests']);
    expect(logger.messages('info')).toHaveLength(3);
    const asked = scene.hub.requests.length;
    expect(await scene.make().embed('apple')).toEqual(vector);
    expect(scene.hub.requests).toHaveLength(asked);
  });

  it('is made once for both lanes', async () => {
    const embedder = scene.makeLight();
    await Promise.all([embedder.embed('apple'), embedder.embedBatch(['apple'])]);
    expect(scene.hub.requests).toHaveLength(FILES_ASKED);
  });

  it('may be slow as long as it goes on, and says how far it is', async () => {
    const embedder = scene.makeLight();
    const total = tinyModelFiles().get(WEIGHTS)?.length ?? 0;
    let reported: EmbedderStatus | undefined;
    scene.hub.answer(WEIGHTS, async (response, content) => {
      response.setHeader('content-length', content.length);
      for (let at = 0; at < content.length; at += 2000) {
        const heard = scene.clock.nextSleep();
        response.write(content.subarray(at, at + 2000));
        await heard;
        scene.clock.advance(29_000);
      }
      reported = embedder.status();
      response.end();
    });
    await embedder.embed('apple');
    expect(embedder.status()).toMatchObject({ state: 'ready', runtime: 'wasm' });
    expect(reported).toMatchObject({ state: 'loading', download: { total } });
    expect(reported?.download?.done).toBeGreaterThan(total - 2000);
    expect(scene.clock.monotonic()).toBeGreaterThan(60_000);
  });

  it('follows redirects and checks the digest that the hub declared before', async () => {
    scene.hub.answer(WEIGHTS, (response, content) => {
      response.writeHead(302, {
        location: '/cdn/weights',
        'x-linked-etag': `"${sha256(content)}"`,
      });
      response.end();
    });
    scene.hub.answer('/cdn/weights', (response, content) => {
      // A tag of the storage that looks like a digest but is not that of the file.
      response.setHeader('etag', `"${'0'.repeat(64)}"`);
      whole(response, content, response.req);
    });
    await scene.makeLight().embed('apple');
    expect(scene.hub.requests).toContain('/cdn/weights');
  });

  it('fetches what is missing beside files put there by hand, and leaves those as they are', async () => {
    await writeTinyModel(scene.modelsDirectory);
    const config = `${tinyModelFiles().get('config.json')} `;
    await writeFile(join(scene.folder, 'config.json'), config);
    await rm(join(scene.folder, 'tokenizer.json'));
    await scene.make().embed('apple');
    expect(scene.hub.requests).toEqual([`/${TINY_MODEL}/resolve/main/tokenizer.json`]);
    expect(await readFile(join(scene.folder, 'config.json'), 'utf8')).toBe(config);
  });

  it('is repeated if what was downloaded cannot be loaded', async () => {
    await scene.makeLight().embed('apple');
    const weights = tinyModelFiles().get(WEIGHTS) as Buffer;
    await writeFile(join(scene.folder, WEIGHTS), weights.subarray(0, weights.length / 2));
    const embedder = scene.make();
    await expect(embedder.embed('apple')).rejects.toThrow(/create a session/);
    scene.clock.advance(1000);
    await embedder.embed('apple');
    expect(scene.hub.requests).toHaveLength(2 * FILES_ASKED);
    expect(await readFile(join(scene.folder, WEIGHTS))).toEqual(weights);
  });

  it('never replaces what was put there by hand', async () => {
    await writeTinyModel(scene.modelsDirectory);
    await writeFile(join(scene.folder, WEIGHTS), 'not a model');
    const embedder = scene.make();
    for (const _ of [1, 2]) {
      await expect(embedder.embed('apple')).rejects.toThrow(/create a session/);
      scene.clock.advance(1000);
    }
    expect(scene.hub.requests).toEqual([]);
  });

  it('can be made by two embedders at once', async () => {
    const [first, second] = [scene.makeLight(), scene.makeLight()];
    const vectors = await Promise.all([first.embed('apple'), second.embed('apple')]);
    expect(vectors[0]).toEqual(vectors[1]);
    expect(await readdir(scene.modelsDirectory)).toEqual(['tests']);
    await scene.makeLight().embed('apple');
  });

  it('removes what crashed downloads left a day ago, and nothing younger', async () => {
    const [old, young] = [
      join(scene.modelsDirectory, '.download-old'),
      join(scene.modelsDirectory, '.download-young'),
    ];
    await mkdir(old, { recursive: true });
    await mkdir(young);
    const [now, day] = [scene.clock.now().getTime(), 86_400_000];
    await utimes(old, new Date(now), new Date(now - day - 1));
    await utimes(young, new Date(now), new Date(now - day + 60_000));
    await scene.makeLight().embed('apple');
    expect(await readdir(scene.modelsDirectory)).toEqual(['.download-young', 'tests']);
  });
});
