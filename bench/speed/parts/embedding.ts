import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createPinoLogger } from '../../../dist/adapters/system/pino-logger.js';
import { systemClock } from '../../../dist/adapters/system/system-clock.js';
import { TransformersEmbedder } from '../../../dist/adapters/transformers/model/transformers-embedder.js';
import { median } from '../../quality/statistics.js';
import { ms } from '../measuring.js';
import type { Part } from '../part.js';
import { textsOf } from '../search/large-project.js';

/** Chunks embedded in a second by 1, 2, … threads of the lowest priority, and one query meanwhile. */
export const embedding: Part = async ({ archive, cache, dataDir }) => {
  if (dataDir === undefined) throw new Error('The part "embedding" needs --data <folder>.');
  const texts = (await textsOf(archive, cache)).slice(0, TEXTS).map(({ content }) => content);
  const rows: (readonly string[])[] = [];
  for (let threads = 1; threads <= availableParallelism(); threads += 1) {
    const embedder = new TransformersEmbedder({
      model: 'Xenova/all-MiniLM-L6-v2',
      modelsDirectory: join(dataDir, 'models'),
      downloads: 'forbidden',
      clock: systemClock,
      logger: createPinoLogger('silent'),
      batchThreads: threads,
    });
    await embedder.embed('warm up');
    await embedder.embedBatch(texts.slice(0, threads));
    const alone = await queryMs((query) => embedder.embed(query));
    const begin = performance.now();
    const all = embedder.embedBatch(texts);
    const beside = await queryMs((query) => embedder.embed(query));
    await all;
    const seconds = (performance.now() - begin) / 1000;
    await embedder.close();
    rows.push([String(threads), (texts.length / seconds).toFixed(1), ms(alone), ms(beside)]);
  }
  const head = ['threads', 'chunks a second', 'ms per query, idle', 'ms per query meanwhile'];
  return [{ title: `Embedding of ${TEXTS} chunks`, head, rows }];
};

const TEXTS = 64;
const QUERIES = 10;

async function queryMs(embed: (query: string) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let number = 0; number < QUERIES; number += 1) {
    const begin = performance.now();
    await embed(`how is command number ${number} run`);
    times.push(performance.now() - begin);
  }
  return median(times);
}
