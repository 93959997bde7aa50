import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findNativeRuntime } from '../../../src/adapters/transformers/model/network.js';
import type {
  TransformersEmbedder,
  TransformersEmbedderOptions,
} from '../../../src/adapters/transformers/model/transformers-embedder.js';
import { cosineSimilarity } from '../../../src/domain/ranking/vector.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { directoryOfRealModel, MODEL } from '../../support/running-service.js';
import { writeTinyModel } from '../../support/tiny-model.js';
import { useModels } from '../../support/tiny-model-embedder.js';

const models = useModels();

describe('the native runtime', () => {
  it('is found if a package has a binary for this machine, not if it is a stand-in', async () => {
    const [empty, other, place] = (await Promise.all([1, 2, 3].map(models.folder))) as [
      string,
      string,
      string,
    ];
    await mkdir(join(other, 'onnxruntime-node'));
    expect(findNativeRuntime([empty, other])).toBeUndefined();
    const folder = await writePackage(place, '');
    expect(findNativeRuntime([empty, other, place])).toBe(folder);
  });

  it('computes the vectors if it is chosen and installed', async () => {
    const place = await writePackage(await models.folder(), ONES);
    const embedder = await tiny({ runtime: 'native', findNative: () => place });
    const vector = await embedder.embed('apple');
    expect(vector[0]).toBeCloseTo(1 / Math.sqrt(384), 5);
    expect(embedder.status()).toMatchObject({ state: 'ready', runtime: 'native' });
  });

  it('is reported as missing if it is chosen but not installed', async () => {
    const embedder = await tiny({ runtime: 'native', findNative: () => undefined });
    await expect(embedder.embed('apple')).rejects.toThrow('npm install --global onnxruntime-node');
    expect(embedder.status()).toMatchObject({ state: 'failed', runtime: 'native' });
  });

  it.each([
    ['is not installed', undefined],
    ['cannot be loaded', 'throw new Error("built for another machine");'],
  ])('is left where it %s and "auto" is chosen', async (_, code) => {
    const logger = new SilentLogger();
    const place = code && (await writePackage(await models.folder(), code));
    const embedder = await tiny({ runtime: 'auto', findNative: () => place, logger });
    expect(await embedder.embed('apple')).toHaveLength(384);
    expect(embedder.status()).toMatchObject({ state: 'ready', runtime: 'wasm' });
    const warnings = logger.entries.filter(({ level }) => level === 'warn');
    expect(warnings).toHaveLength(code === undefined ? 0 : 1);
  });

  it('is not looked for by default', async () => {
    const findNative = () => {
      throw new Error('looked for');
    };
    expect(await (await tiny({ findNative })).embed('apple')).toHaveLength(384);
  });
});

const native = findNativeRuntime();
const shared = directoryOfRealModel();
const isTested = native !== undefined && shared !== undefined;
if (!isTested)
  console.warn('Without onnxruntime-node and ../shared/models the native runtime is not compared.');

describe.skipIf(!isTested)('the real native runtime', () => {
  it('makes vectors that agree with those of WebAssembly', async () => {
    const texts = await realTexts();
    const [inWasm, inNative] = [real({ runtime: 'wasm' }), real({ runtime: 'native' })];
    const others = await inNative.embedBatch(texts);
    const vectors = await inWasm.embedBatch(texts);
    const cosines = vectors.map((vector, i) => cosineSimilarity(vector, others[i] ?? vector));
    const sorted = cosines.toSorted((a, b) => a - b);
    expect(sorted[Math.floor(sorted.length / 2)]).toBeGreaterThanOrEqual(0.99);
    expect(sorted[0]).toBeGreaterThanOrEqual(0.95);
  }, 60_000);

  it('is closed while it works without harm to the process', async () => {
    const embedder = real({ runtime: 'native', batchThreads: 2 });
    const texts = (await realTexts()).map((text) => text.repeat(50));
    await embedder.embedBatch(['warm', 'up']);
    const batch = embedder.embedBatch(texts);
    batch.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await embedder.close();
    await expect(batch).rejects.toMatchObject({ code: 'model_unavailable' });
  }, 60_000);
});

// Helpers

/** Every token has the same vector, whatever the model is. */
const ONES = `
exports.Tensor = class { constructor(type, data, dims) { Object.assign(this, { data, dims }); } };
exports.InferenceSession = { create: async () => ({
  inputNames: ['input_ids', 'attention_mask'],
  run: async ({ input_ids: { dims } }) => ({
    last_hidden_state: { dims: [...dims, 384], data: new Float32Array(dims[1] * 384).fill(1) },
  }),
}) };`;

/** @returns the folder of the package */
async function writePackage(place: string, code: string): Promise<string> {
  const folder = join(place, 'onnxruntime-node');
  const binary = join(
    folder,
    'bin/napi-v6',
    process.platform,
    process.arch,
    'onnxruntime_binding.node',
  );
  await mkdir(dirname(binary), { recursive: true });
  await writeFile(binary, '');
  await writeFile(join(folder, 'index.js'), code);
  return folder;
}

async function tiny(options: Partial<TransformersEmbedderOptions>): Promise<TransformersEmbedder> {
  await writeTinyModel(models.directory());
  return models.make(options);
}

function real(options: Partial<TransformersEmbedderOptions>): TransformersEmbedder {
  return models.make({ modelsDirectory: join(shared ?? '', 'models'), model: MODEL, ...options });
}

async function realTexts(): Promise<readonly string[]> {
  const file = join(shared ?? '', 'models/reference.json');
  const { items } = JSON.parse(await readFile(file, 'utf8'));
  return items.map(({ text }: { readonly text: string }) => text);
}
