import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Database from 'better-sqlite3';
import { SqliteProjectStores } from '../../src/adapters/sqlite/database/sqlite-project-stores.js';
import { createPinoLogger } from '../../src/adapters/system/pino-logger.js';
import { systemClock } from '../../src/adapters/system/system-clock.js';
import { generator, median } from '../quality/statistics.js';

/**
 * Finds the 50 nearest of many vectors, alternately with the index of the service on a real database
 * and with a plain loop over floats in memory. The vectors are clustered in 200 artificial topics.
 *
 *   npm run bench:neighbours -- [vectors = 100000] [seed = 1]
 */
const [count = '100000', seed = '1'] = process.argv.slice(2);
const SIZE = Number(count);
const [DIMENSIONS, LIMIT, QUERIES] = [384, 50, 50];
const random = generator(Number(seed));
const topics = Array.from({ length: 200 }, noise);

const project = await mkdtemp(join(tmpdir(), 'bench-'));
const logger = createPinoLogger('silent');
const stores = new SqliteProjectStores({
  appDir: 'k',
  model: 'made-up',
  dimensions: DIMENSIONS,
  clock: systemClock,
  logger,
});
const { retrievals, vectors } = await stores.open(project);
const floats = fill(join(project, 'k/knowledge.db'));

const before = process.memoryUsage().rss;
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const first = await timed(() => vectors.nearest(madeUp(), { sourceTypes: 'all' }, LIMIT));
delay.disable();
const loaded = (process.memoryUsage().rss - before) / 1e6;
const times = { index: [] as number[], cosineStatistics: [] as number[], loop: [] as number[] };
let alike = 0;
for (let i = 0; i < QUERIES; i += 1) {
  const query = madeUp();
  const index = await timed(() => vectors.nearest(query, { sourceTypes: 'all' }, LIMIT));
  const statistics = await timed(() => vectors.cosineStatistics(query));
  const loop = await timed(async () => plainLoop(query));
  await retrievals.record([idOf(i)], new Date()); // as every search does
  times.index.push(index.ms);
  times.cosineStatistics.push(statistics.ms);
  times.loop.push(loop.ms);
  alike += Number(index.value.every(({ chunkId }, rank) => chunkId === idOf(loop.value[rank])));
}
await stores.close();
await rm(project, { recursive: true, force: true });

process.stdout.write(
  [
    `${SIZE} vectors, seed ${seed}, ${QUERIES} queries: ${alike} lists of the ${LIMIT} nearest are equal`,
    `first  ${first.ms.toFixed(0)} ms with loading, ${loaded.toFixed(0)} MB, event loop stopped for at most ${(delay.max / 1e6).toFixed(0)} ms`,
    `index  p50 ${p50(times.index)} ms`,
    `cosine statistics p50 ${p50(times.cosineStatistics)} ms`,
    `loop   p50 ${p50(times.loop)} ms (${((SIZE * DIMENSIONS * 4) / 1e6).toFixed(0)} MB)`,
    `index to loop ${(median(times.index) / median(times.loop)).toFixed(2)}`,
    '',
  ].join('\n'),
);

function plainLoop(query: Float32Array): readonly number[] {
  const cosines = new Float64Array(SIZE);
  for (let row = 0; row < SIZE; row += 1) {
    let sum = 0;
    for (let i = 0; i < DIMENSIONS; i += 1) {
      sum += (query[i] as number) * (floats[row * DIMENSIONS + i] as number);
    }
    cosines[row] = sum;
  }
  const least = cosines.toSorted().at(-LIMIT) as number;
  const rows = [...cosines.keys()].filter((row) => (cosines[row] as number) >= least);
  return rows.toSorted((a, b) => (cosines[b] as number) - (cosines[a] as number));
}

function fill(file: string): Float32Array {
  const db = new Database(file);
  const chunk = db.prepare(
    `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, content, importance,
       created_at, updated_at) VALUES (?, 'file', 'made-up.md', ?, ?, 'x', 0.5, '', '')`,
  );
  const embedding = db.prepare("INSERT INTO embeddings VALUES (?, ?, 'made-up', '')");
  const all = new Float32Array(SIZE * DIMENSIONS);
  const insertAll = db.transaction(() => {
    for (let row = 0; row < SIZE; row += 1) {
      const vector = madeUp();
      all.set(vector, row * DIMENSIONS);
      chunk.run(idOf(row), project, row);
      embedding.run(idOf(row), Buffer.from(vector.buffer));
    }
  });
  insertAll();
  db.close();
  return all;
}

function idOf(row: number | undefined): string {
  return `made-up.md#${row}`;
}

function madeUp(): Float32Array {
  const topic = topics[Math.floor(random() * topics.length)] as Float32Array;
  const vector = noise().map((value, i) => value + 0.5 * (topic[i] as number));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function noise(): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, () => random() + random() - 1);
}

async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly ms: number }> {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}

function p50(values: readonly number[]): string {
  return median(values).toFixed(1);
}
