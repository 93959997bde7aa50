import { execFile } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransformersEmbedder } from '../../src/adapters/transformers/transformers-embedder.js';
import {
  cosineSimilarity,
  normalized,
  normalizedMean,
  type Vector,
} from '../../src/domain/vector.js';
import { FixedClock } from '../fakes/fixed-clock.js';
import { SilentLogger } from '../fakes/silent-logger.js';
import {
  TINY_MODEL,
  TINY_SPECIAL,
  tinyRow,
  tinyTokens,
  writeTinyModel,
} from '../support/tiny-model.js';
import { TemporaryFolders, tinyEmbedder, WORKER_FILE } from '../support/tiny-model-embedder.js';
import { realModel } from '../support/tiny-model-real.js';

const UNAVAILABLE = { code: 'model_unavailable' };
const folders = new TemporaryFolders();
const embedders: TransformersEmbedder[] = [];
let modelsDirectory = '';

beforeEach(async () => {
  modelsDirectory = await folders.make();
});
afterEach(async () => {
  await Promise.all(embedders.splice(0).map((embedder) => embedder.close()));
  await folders.removeAll();
});

describe('vectors of the transformers embedder', () => {
  it('are the normalised mean over the tokens of a text, special ones included', async () => {
    await writeTinyModel(modelsDirectory);
    const vector = await make().embed('apple disk zyx');
    expect(cosineSimilarity(vector, windowVector(tinyTokens('apple disk zyx')))).toBeCloseTo(1, 5);
  });

  it('of a long text average windows of 254 tokens with a stride of 127', async () => {
    await writeTinyModel(modelsDirectory);
    const text = longText(600);
    const tokens = tinyTokens(text);
    // Starts 0, 127, 254; the window from 381 is the first that reaches the end.
    const windows = [0, 127, 254, 381].map((start) =>
      windowVector(tokens.slice(start, start + 254)),
    );
    const expected = normalizedMean(windows) as Vector;
    expect(cosineSimilarity(await make().embed(text), expected)).toBeCloseTo(1, 6);
  });

  it('count the first 100,000 characters of a text', async () => {
    await writeTinyModel(modelsDirectory);
    const embedder = make();
    const start = 'forest  '.repeat(12_500);
    const vector = await embedder.embed(start + 'engine '.repeat(1_500_000));
    expect(vector).toEqual(await embedder.embed(start));
  });
});

const real = realModel();
const realTitle = real.missing === undefined ? '' : ` (SKIPPED: ${real.missing})`;
describe.skipIf(real.missing !== undefined)(`the real weights${realTitle}`, () => {
  it('agree with the vectors of reference.json at a cosine of .98', async () => {
    const embedder = make({ ...real.source, model: real.model });
    const path = join(real.source.modelsDirectory, 'reference.json');
    const { items } = JSON.parse(await readFile(path, 'utf8')) as Reference;
    expect(items).toHaveLength(20);
    for (const { text, vector } of items) {
      const cosine = cosineSimilarity(await embedder.embed(text), Float32Array.from(vector));
      expect(cosine, text.slice(0, 60)).toBeGreaterThanOrEqual(0.98);
    }
  });
});

describe('life of the transformers embedder', () => {
  it('is absent, and says what to do, where the files are missing and downloads are forbidden', async () => {
    const embedder = make();
    expect(embedder.state()).toBe('absent');
    await expect(embedder.embed('apple')).rejects.toThrow(/put them there or allow downloads/);
    expect(embedder.state()).toBe('absent');
  });

  it('finds files that were put there later, once the pause has passed', async () => {
    const clock = new FixedClock();
    const embedder = make({ clock });
    await expect(embedder.embed('apple')).rejects.toMatchObject(UNAVAILABLE);
    await writeTinyModel(modelsDirectory);
    clock.advance(1000);
    await embedder.embed('apple');
    expect(embedder.state()).toBe('ready');
  });

  it('tries a failed load again after 1 s, then 2 s, and rejects at once in between', async () => {
    const clock = new FixedClock();
    const logger = new SilentLogger();
    await writeTinyModel(modelsDirectory);
    await writeFile(weights(), 'not a model');
    const embedder = make({ clock, logger });
    for (const pauseMs of [1000, 2000, 4000]) {
      await expect(embedder.embed('apple')).rejects.toMatchObject(UNAVAILABLE);
      expect(embedder.state()).toBe('failed');
      expect(logger.entries.at(-1)?.fields).toMatchObject({ retryInMs: pauseMs });
      clock.advance(pauseMs - 1);
      embedder.load();
      expect(embedder.state()).toBe('failed');
      await expect(embedder.embedBatch(['apple'])).rejects.toThrow(/tried again in 1 s/);
      clock.advance(1);
    }
    expect(logger.entries).toHaveLength(3);
    await writeTinyModel(modelsDirectory);
    await embedder.embed('apple');
    expect(embedder.state()).toBe('ready');
  });

  it('refuses a model of other dimensions', async () => {
    const workerFile = await writeWorker('{ trial: new Float32Array(768).fill(1) }');
    const embedder = make({ workerFile });
    await expect(embedder.embed('apple')).rejects.toThrow(/768 values, not of 384/);
    expect(embedder.state()).toBe('failed');
  });

  it.each([
    ['values that are not finite', 'new Float32Array(384).fill(NaN)'],
    ['no direction', 'new Float32Array(384)'],
    ['too few values', 'new Float32Array(3).fill(1)'],
  ])('rejects a vector of %s and goes on', async (_, vector) => {
    const workerFile = await writeWorker(`{ bad: ${vector} }`);
    const embedder = make({ workerFile });
    await expect(embedder.embed('bad')).rejects.toMatchObject(UNAVAILABLE);
    expect(await embedder.embed('good')).toHaveLength(384);
  });

  it.each(['crash', 'exit', 'fail'])(
    'rejects the calls of a thread that ends (%s), and starts another',
    async (end) => {
      const workerFile = await writeWorker();
      const embedder = make({ workerFile });
      const calls = await Promise.allSettled([embedder.embed(end), embedder.embed('apple')]);
      for (const call of calls)
        expect(call).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
      expect(embedder.isReady()).toBe(false);
      expect(await embedder.embed('apple')).toHaveLength(384);
      expect(embedder.isReady()).toBe(true);
    },
  );

  it.each(['../tiny', 'tests/..', 'a/b/c', 'tests', '.hidden/x', 'a b/c', '/etc/passwd', 'a/b\n'])(
    'refuses %j as the name of a model',
    (model) => {
      expect(() => make({ model })).toThrow(RangeError);
    },
  );
});

describe('a process with the transformers embedder', () => {
  it('prints nothing, waits for calls, ends by itself, and maps no native module', async () => {
    await writeTinyModel(modelsDirectory);
    await rename(weights(), `${weights()}.away`);
    await writeFile(weights(), 'not a model');
    const { stdout, stderr } = await runScript(`
      import { readFileSync } from 'node:fs';
      import { rename } from 'node:fs/promises';
      await embedder.embed('apple').catch(() => {});
      await rename(${JSON.stringify(`${weights()}.away`)}, ${JSON.stringify(weights())});
      clock.monotonic = () => 1e9;
      const [vector] = await embedder.embedBatch(['apple']);
      await embedder.embed('apple');
      const native = /\\S+\\.node$/gm.exec(readFileSync('/proc/self/maps', 'utf8'))?.[0];
      process.stdout.write(JSON.stringify({ values: vector.length, native }));
    `);
    expect(JSON.parse(stdout)).toEqual({ values: 384 });
    expect(stderr).toBe('');
  });

  it.runIf(process.platform === 'linux')(
    'lowers the priority of the threads for batches only',
    async () => {
      await writeTinyModel(modelsDirectory);
      const { stdout } = await runScript(`
      import { readdirSync, readFileSync } from 'node:fs';
      const nices = () => readdirSync('/proc/self/task').map((id) =>
        Number(readFileSync('/proc/self/task/' + id + '/stat', 'utf8').split(') ')[1].split(' ')[16]));
      const before = nices();
      await embedder.embed('apple');
      const query = nices();
      await embedder.embedBatch(['apple']);
      const both = nices();
      const raised = (list) => list.filter((nice) => nice !== before[0]);
      process.stdout.write(JSON.stringify({ query: raised(query), batch: [...new Set(raised(both))] }));
    `);
      expect(JSON.parse(stdout)).toEqual({ query: [], batch: [19] });
    },
  );
});

interface Reference {
  readonly items: readonly { readonly text: string; readonly vector: readonly number[] }[];
}

function make(options: Partial<Parameters<typeof tinyEmbedder>[0]> = {}): TransformersEmbedder {
  const embedder = tinyEmbedder({ modelsDirectory, ...options });
  embedders.push(embedder);
  return embedder;
}

function weights(): string {
  return join(modelsDirectory, TINY_MODEL, 'onnx/model_quantized.onnx');
}

function windowVector(tokens: readonly number[]): Vector {
  const rows = [TINY_SPECIAL.first, ...tokens, TINY_SPECIAL.last].map(tinyRow);
  const sum = rows.reduce((total, row) => total.map((value, i) => value + (row[i] as number)));
  return normalized(sum) as Vector;
}

/** A text of so many words, whose beginning, middle and end are of different ones. */
function longText(words: number): string {
  const third = Math.ceil(words / 3);
  const at = (i: number) => ['apple', 'engine', 'forest'][Math.floor(i / third)];
  return Array.from({ length: words }, (_, i) => at(i)).join(' ');
}

/** A worker without a model: it answers with `special[text]`, or dies as the text says. */
async function writeWorker(special = '{}'): Promise<URL> {
  await writeTinyModel(modelsDirectory);
  const file = join(modelsDirectory, 'worker.mjs');
  await writeFile(
    file,
    `import { parentPort } from 'node:worker_threads';
    const special = ${special};
    const good = new Float32Array(384).fill(1);
    parentPort.postMessage({ kind: 'ready', trial: special.trial ?? good });
    parentPort.on('message', ({ id, texts }) => {
      if (texts[0] === 'crash') throw new Error('crashed');
      if (texts[0] === 'exit') process.exit(0);
      if (texts[0] === 'fail') return parentPort.postMessage({ kind: 'failed', id, reason: 'no' });
      parentPort.postMessage({ kind: 'vectors', id, vectors: [special[texts[0]] ?? good] });
    });`,
  );
  return pathToFileURL(file);
}

/** Runs a script in a process of its own that has an \`embedder\` of the tiny model, and never closes it. */
async function runScript(
  script: string,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const file = join(await folders.make(), 'script.mjs');
  const module = new URL('./transformers-embedder.js', WORKER_FILE);
  const prelude = `
    import { TransformersEmbedder } from ${JSON.stringify(module.href)};
    const silent = () => {};
    const logger = { debug: silent, info: silent, warn: silent, error: silent };
    const clock = { now: () => new Date(), monotonic: () => 0, sleep: async () => {} };
    const embedder = new TransformersEmbedder({ model: ${JSON.stringify(TINY_MODEL)},
      modelsDirectory: ${JSON.stringify(modelsDirectory)}, downloads: 'forbidden', logger, clock });
  `;
  await writeFile(file, prelude + script);
  return promisify(execFile)(process.execPath, [file], { timeout: 30_000 });
}
