import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AutoTokenizer, env } from '@xenova/transformers';
import { createPinoLogger } from '../../../dist/adapters/system/pino-logger.js';
import { systemClock } from '../../../dist/adapters/system/system-clock.js';
import { findNativeRuntime } from '../../../dist/adapters/transformers/model/network.js';
import { tokenWindows } from '../../../dist/adapters/transformers/model/pooling.js';
import { TransformersEmbedder } from '../../../dist/adapters/transformers/model/transformers-embedder.js';
import { median } from '../../quality/statistics.js';
import { ms } from '../measuring.js';
import type { Part } from '../part.js';
import { textsOf } from '../search/large-project.js';

type Way = readonly [runtime: 'wasm' | 'native', threads: number];

/**
 * Throughput and cost of embedding chunks with 1, 2 and all threads of each runtime, and the time of a query meanwhile.
 * The yardstick is Python's onnxruntime with the same model file and the same windows of tokens.
 */
export const embedding: Part = async ({ archive, cache, dataDir }) => {
  if (dataDir === undefined) throw new Error('The part "embedding" needs --data <folder>.');
  const texts = (await textsOf(archive, cache)).slice(0, TEXTS).map(({ content }) => content);
  const rows: (readonly string[])[] = [];
  for (const way of ways()) rows.push(await measured(way, dataDir, texts));
  const windows = await windowsOf(dataDir, texts);
  rows.push(...[1, 2].flatMap((threads) => yardstick(threads, dataDir, windows)));
  const head = [
    ...['runtime', 'threads', 'chunks a second', 'processor ms per chunk'],
    ...['ms per query, idle', 'ms per query meanwhile'],
  ];
  return [{ title: `Embedding of ${TEXTS} chunks`, head, rows }];
};

const MODEL = 'Xenova/all-MiniLM-L6-v2';
const TEXTS = 64;
const QUERIES = 10;

function ways(): readonly Way[] {
  const threads = [...new Set([1, 2, availableParallelism()])];
  if (findNativeRuntime() === undefined)
    process.stderr.write('onnxruntime-node is not installed: native is skipped.\n');
  const native = findNativeRuntime() === undefined ? [] : [1, 2];
  return [
    ...threads.map((count): Way => ['wasm', count]),
    ...native.map((count): Way => ['native', count]),
  ];
}

async function measured(
  [runtime, batchThreads]: Way,
  dataDir: string,
  texts: readonly string[],
): Promise<readonly string[]> {
  const embedder = new TransformersEmbedder({
    model: MODEL,
    modelsDirectory: join(dataDir, 'models'),
    hub: 'http://127.0.0.1:1',
    downloads: 'forbidden',
    clock: systemClock,
    logger: createPinoLogger('silent'),
    runtime,
    batchThreads,
    batches: 'foreground',
  });
  await embedder.embed('warm up');
  await embedder.embedBatch(texts.slice(0, batchThreads));
  const alone = await queryMs((query) => embedder.embed(query));
  const [begin, used] = [performance.now(), process.cpuUsage()];
  await embedder.embedBatch(texts);
  const seconds = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(used);
  const all = embedder.embedBatch(texts);
  const beside = await queryMs((query) => embedder.embed(query));
  await all;
  await embedder.close();
  const cost = (user + system) / 1000 / texts.length;
  const rate = (texts.length / seconds).toFixed(1);
  return [runtime, String(batchThreads), rate, ms(cost), ms(alone), ms(beside)];
}

async function queryMs(embed: (query: string) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < QUERIES; number += 1) {
    const begin = performance.now();
    await embed(`how is command number ${number} run`);
    times.push(performance.now() - begin);
  }
  return median(times);
}

async function windowsOf(
  dataDir: string,
  texts: readonly string[],
): Promise<readonly (readonly number[])[]> {
  env.localModelPath = join(dataDir, 'models');
  env.allowRemoteModels = false;
  const tokenizer = await AutoTokenizer.from_pretrained(MODEL, { local_files_only: true });
  const [first, last] = tokenizer.encode('') as [number, number];
  return texts.flatMap((text) => {
    const tokens = tokenizer.encode(text, null, { add_special_tokens: false });
    return tokenWindows(tokens, WINDOW).map((window) => [first, ...window, last]);
  });
}

/** Window of the default model, in tokens, without its two special ones. */
const WINDOW = 254;

/** The row of Python's onnxruntime. If the package is missing, says so and returns none. */
function yardstick(
  threads: number,
  dataDir: string,
  windows: readonly (readonly number[])[],
): readonly (readonly string[])[] {
  const model = join(dataDir, 'models', MODEL, 'onnx/model_quantized.onnx');
  const { stdout, stderr } = spawnSync('python3', [YARDSTICK], {
    input: JSON.stringify({ model, threads, windows }),
    encoding: 'utf8',
  });
  if (!stdout) {
    const reason = stderr?.trimEnd().split('\n').at(-1) ?? 'python3 is not installed';
    process.stderr.write(`The yardstick is skipped: ${reason}\n`);
    return [];
  }
  const { seconds, processorSeconds } = JSON.parse(stdout);
  const cost = ms((processorSeconds * 1000) / TEXTS);
  return [['python', String(threads), (TEXTS / seconds).toFixed(1), cost, '', '']];
}

const YARDSTICK = fileURLToPath(new URL('../peers/yardstick.py', import.meta.url));
