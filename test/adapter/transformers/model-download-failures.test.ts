import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TransformersEmbedder } from '../../../src/adapters/transformers/model/transformers-embedder.js';
import {
  type HubAnswer,
  halfThen,
  notFound,
  page,
  redirect,
  serverError,
  WEIGHTS,
  wrongBytes,
} from '../../support/model-hub.js';
import { useDownloads } from '../../support/model-hub-scene.js';
import { TINY_MODEL, tinyModelFiles } from '../../support/tiny-model.js';

const FILES = [...tinyModelFiles().keys()].toSorted();
const scene = useDownloads();

describe('a hub that cannot be reached', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is named with three ways out, one per line', async () => {
    vi.stubEnv('KNOWLEDGE_MODEL_HOST', '');
    vi.stubEnv('NODE_USE_ENV_PROXY', '');
    const embedder = scene.make({ hub: 'http://127.0.0.1:1' });
    await expect(embedder.embed('apple')).rejects.toThrow(
      /not available: [^\n]+\. Alternatives:\nSet KNOWLEDGE_MODEL_HOST .*\nOr copy .*model_quantized\.onnx to .*\nOr set HTTPS_PROXY .*\.$/,
    );
  });
});

describe('a download that fails', () => {
  const failures: Record<
    string,
    { readonly answer: HubAnswer; readonly file?: string; readonly reason: RegExp }
  > = {
    'is not found': { answer: notFound, reason: /responded with 404/ },
    'meets an error of the hub': { answer: serverError, reason: /responded with 500/ },
    'is cut off': {
      answer: halfThen((response) => response.destroy()),
      reason: /terminated|closed/,
    },
    'declares more than the file may have': {
      answer: (response) => {
        response.setHeader('content-length', 63 * 1024 * 1024);
        response.write('{');
      },
      file: 'config.json',
      reason: /more than the maximum of 1048576 bytes/,
    },
    'sends more than the file may have': {
      answer: (response) => void response.end(`{${' '.repeat(1024 * 1024)}}`),
      file: 'tokenizer_config.json',
      reason: /more than the maximum of 1048576 bytes/,
    },
    'is redirected forever': {
      answer: redirect(`/${TINY_MODEL}/resolve/main/${WEIGHTS}`),
      reason: /redirect count exceeded/,
    },
    'is redirected to a file': {
      answer: redirect('file:///etc/passwd'),
      reason: /scheme/,
    },
  };

  it.each(Object.entries(failures))(
    'because it %s leaves nothing, and a good hub succeeds',
    async (_, failure) => {
      scene.hub().answer(failure.file ?? WEIGHTS, failure.answer);
      const embedder = scene.makeLight();
      await expect(embedder.embed('apple')).rejects.toThrow(failure.reason);
      await expectRecovery(embedder);
    },
  );

  it.each<readonly [string, HubAnswer]>([
    [
      'fewer bytes, the length undeclared',
      (answer, content) => void answer.end(content.subarray(0, 5000)),
    ],
    ['other bytes of the same length', wrongBytes],
    ['a page in HTML', page],
  ])('because the weights are %s leaves nothing, and a good hub succeeds', async (_, answer) => {
    scene.hub().answer(WEIGHTS, answer);
    const embedder = scene.make();
    await expect(embedder.embed('apple')).rejects.toThrow(/create a session/);
    await expectRecovery(embedder);
  });

  it.each<readonly [string, string, HubAnswer]>([
    ['a page in HTML', 'tokenizer.json', page],
    ['broken', 'config.json', (response) => void response.end('{"model_type": "bert"')],
  ])('because JSON is %s leaves nothing, and a good hub succeeds', async (_, file, answer) => {
    scene.hub().answer(file, answer);
    const embedder = scene.make();
    await expect(embedder.embed('apple')).rejects.toThrow(/JSON/);
    await expectRecovery(embedder);
  });

  it('because the hub refuses a file ends the connection', async () => {
    const ended = new Promise<void>((resolve) => {
      scene.hub().answer('config.json', (response) => {
        response.once('close', resolve);
        response.writeHead(500, { 'content-length': 10 }).write('{');
      });
    });
    await expect(scene.makeLight().embed('apple')).rejects.toThrow(/500/);
    await ended;
  });

  it('because no server listens leaves nothing, and a good hub succeeds', async () => {
    const embedder = scene.makeLight({ hub: 'http://127.0.0.1:1' });
    await expect(embedder.embed('apple')).rejects.toThrow(/ECONNREFUSED|bad port/);
    expect(await scene.modelFiles()).toEqual([]);
    await expectRecovery(scene.makeLight());
  });

  it('because the embedder is closed leaves nothing', async () => {
    const started = new Promise<void>((resolve) => {
      scene.hub().answer(
        WEIGHTS,
        halfThen(() => resolve()),
      );
    });
    const embedder = scene.makeLight();
    const outcome = expect(embedder.embed('apple')).rejects.toThrow(/closed/);
    await started;
    await embedder.close();
    await outcome;
    await expectRecovery(scene.makeLight());
  });

  it('because the weights cannot be put in place leaves the rest, which the next load completes', async () => {
    const blocked = join(scene.folder(), WEIGHTS);
    await mkdir(join(blocked, 'something'), { recursive: true });
    const embedder = scene.makeLight();
    await expect(embedder.embed('apple')).rejects.toMatchObject({ code: 'model_unavailable' });
    await rm(blocked, { recursive: true });
    expect(await scene.modelFiles()).toEqual(FILES.filter((file) => file !== WEIGHTS));
    scene.clock().advance(1000);
    await embedder.embed('apple');
    expect(await scene.modelFiles()).toEqual(FILES);
  });
});

async function expectRecovery(embedder: TransformersEmbedder): Promise<void> {
  expect(await readdir(scene.modelsDirectory())).toEqual([]);
  scene.hub().behave();
  scene.clock().advance(1000);
  expect(await embedder.embed('apple')).toHaveLength(384);
  expect(await readFile(join(scene.folder(), WEIGHTS))).toEqual(tinyModelFiles().get(WEIGHTS));
}
