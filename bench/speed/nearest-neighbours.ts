import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'sqlite-vec';
import { appDirectories } from '../../src/adapters/files/app-directories.js';
import { Database } from '../../src/adapters/sqlite/database/driver.js';
import { SqliteProjectStores } from '../../src/adapters/sqlite/stores/sqlite-project-stores.js';
import { createPinoLogger } from '../../src/adapters/system/pino-logger.js';
import { systemClock } from '../../src/adapters/system/system-clock.js';
import { generator, median } from '../quality/statistics.js';

/**
 * The 50 nearest of many vectors, query by query in turn: the product's index, a plain `vec0` table of
 * floats, a scan by `vec_distance_cosine` and a plain loop over floats in memory. CPU time. Vectors lie
 * in 200 made-up topics.
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
  appDirs: appDirectories('k'),
  model: 'made-up',
  dimensions: DIMENSIONS,
  clock: systemClock,
  logger,
});
const { chunks, vectors } = await stores.open(project);
const floats = fill(join(project, 'k/knowledge.db'));

const file = join(project, 'k/knowledge.db');
const plain = plainTable();

const times: Record<string, number[]> = {
  index: [],
  statistics: [],
  'vec0 float': [],
  scan: [],
  loop: [],
};
let alike = 0;
for (let i = 0; i < QUERIES; i += 1) {
  const query = madeUp();
  const found = await timed('index', () => nearestTo(query));
  await timed('statistics', () => vectors.similarities('content', query, 'sample'));
  await timed('vec0 float', async () => plain.nearest.all(Buffer.from(query.buffer), LIMIT));
  await timed('scan', async () => plain.scan.all(Buffer.from(query.buffer), LIMIT));
  const loop = await timed('loop', async () => plainLoop(query));
  await chunks.record([idOf(i)], new Date()); // as every search does
  alike += Number(found.every(({ chunkId }, rank) => chunkId === idOf(loop[rank])));
}
const own = median(times['index'] ?? []);
await stores.close();
plain.db.close();
await rm(project, { recursive: true, force: true });

process.stdout.write(
  [
    `${SIZE} vectors, seed ${seed}, ${QUERIES} queries: ${alike} lists of the ${LIMIT} nearest are the same`,
    ...Object.entries(times).map(
      ([name, values]) =>
        `${name.padEnd(11)} p50 ${median(values).toFixed(1)} ms, index to this ${(own / median(values)).toFixed(2)}`,
    ),
    '',
  ].join('\n'),
);

function nearestTo(query: Float32Array) {
  return vectors.nearest(query, { sourceTypes: 'all' }, LIMIT);
}

/** The vectors in a table of sqlite-vec's own, and statements over it and over `embeddings`. */
function plainTable() {
  const db = new Database(join(project, 'plain.db'));
  load(db);
  db.exec(`CREATE VIRTUAL TABLE plain USING vec0(v float[${DIMENSIONS}] distance_metric=cosine)`);
  const insert = db.prepare('INSERT INTO plain (rowid, v) VALUES (?, ?)');
  db.transaction(() => {
    for (let row = 0; row < SIZE; row += 1) {
      const values = floats.slice(row * DIMENSIONS, (row + 1) * DIMENSIONS);
      insert.run(BigInt(row), Buffer.from(values.buffer));
    }
  })();
  db.prepare('ATTACH ? AS store').run(file);
  return {
    db,
    nearest: db.prepare('SELECT rowid FROM plain WHERE v MATCH ? ORDER BY distance LIMIT ?'),
    scan: db.prepare(
      'SELECT chunk_id FROM store.embeddings ORDER BY vec_distance_cosine(embedding, ?) LIMIT ?',
    ),
  };
}

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

/** Adds the CPU time of `work` to those of this name. */
async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(start);
  times[name]?.push((user + system) / 1000);
  return value;
}
