/**
 * Compares SQLite with PostgreSQL on the same chunks, through the ports, one after the other in one run:
 *
 *   KNOWLEDGE_TEST_POSTGRES_BIN=$(scripts/get-postgres.sh) npm run bench:stores -- <corpus.jsonl> [chunks]
 *
 * CPU time is that of this process and of the sessions of the server.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresProjectStores } from '../../src/adapters/postgres/stores/postgres-project-stores.js';
import { SqliteProjectStores } from '../../src/adapters/sqlite/stores/sqlite-project-stores.js';
import { systemClock } from '../../src/adapters/system/system-clock.js';
import type { Expression } from '../../src/domain/query/expression.js';
import { allWords, anyInformativeWord } from '../../src/domain/query/query.js';
import { cosineSimilarity, type Vector } from '../../src/domain/ranking/vector.js';
import type { ProjectStore, ProjectStores } from '../../src/ports/driven/project-stores.js';
import { SilentLogger } from '../../test/fakes/silent-logger.js';
import { PostgresServer } from '../../test/support/postgres-server.js';
import { SERVER_BIN } from '../../test/support/postgres-under-test.js';
import { DIMENSIONS, MadeUpChunks, type MadeUpSource } from './made-up-chunks.js';
import { cpuMs } from './server-cpu.js';

const [corpus = '', count = '100000'] = process.argv.slice(2);
const QUERIES = 60;
const LIMIT = 50;
const everything = { sourceTypes: 'all' } as const;
const typed = { sourceTypes: ['file', 'reflection'] } as const;

const madeUp = new MadeUpChunks(corpus);
const sources = madeUp.sources(Number(count));
const anyWords = queries((words) => anyInformativeWord(words), 8);
const twoWords = queries((words) => allWords(words), 2);
const vectors = Array.from({ length: QUERIES }, () => madeUp.vector());
const server = await PostgresServer.create(SERVER_BIN, 'kept', {
  shared_buffers: '1GB',
  maintenance_work_mem: '1GB',
});
const root = mkdtempSync(join(tmpdir(), 'stores-at-scale-'));
const common = {
  model: 'random',
  dimensions: DIMENSIONS,
  clock: systemClock,
  logger: new SilentLogger(),
};
const keys = { find: async () => root, open: async () => root };
const engines: Readonly<Record<string, () => ProjectStores>> = {
  SQLite: () => new SqliteProjectStores({ ...common, appDir: '.knowledge' }),
  PostgreSQL: () => new PostgresProjectStores({ ...common, url: server.url, keys }),
};
try {
  for (const [name, open] of Object.entries(engines)) await measureEngine(name, open());
} finally {
  await server.remove();
  rmSync(root, { recursive: true });
}

async function measureEngine(name: string, stores: ProjectStores): Promise<void> {
  const say = (text: string) => console.log(`${name}: ${text}`);
  const store = await stores.open(root);
  await fill(store, say);
  await measureSearches(store, say);
  await measureRates(store, say);
  const { sizeBytes } = await store.chunks.stats();
  say(`${(sizeBytes / 1e6).toFixed(0)} MB`);
  await stores.close();
}

type Say = (text: string) => void;

async function fill(store: ProjectStore, say: Say): Promise<void> {
  const rate = (ms: number) => Math.round((Number(count) * 1000) / ms);
  say(`ingest ${rate(await timed(() => eachSource((source) => ingest(store, source))))} chunks/s`);
  say(`vectors ${rate(await timed(() => eachSource((source) => putVectors(store, source))))}/s`);
  const rebuildMs = await timed(() => store.keywords.rebuild());
  say(`rebuild of the indexes ${(rebuildMs / 1000).toFixed(0)} s`);
}

async function eachSource(work: (source: MadeUpSource) => Promise<unknown>): Promise<void> {
  for (const source of sources) await work(source);
}

function ingest(store: ProjectStore, { sourceFile, chunks }: MadeUpSource): Promise<unknown> {
  return store.chunks.replaceSource(sourceFile, async () => ({
    sourceType: 'file',
    sourceFile,
    contentHash: sourceFile,
    chunks: chunks.map(({ content }) => ({ content, importance: 0.5 })),
  }));
}

function putVectors(store: ProjectStore, { chunks }: MadeUpSource): Promise<unknown> {
  return store.vectors.put(
    chunks.map(({ id, content, vector }) => ({ chunkId: id, texts: [content], vector })),
  );
}

async function measureSearches(store: ProjectStore, say: Say): Promise<void> {
  const { keywords, vectors: index } = store;
  const ids = sources.slice(0, LIMIT).map(({ chunks }) => chunks[3]?.id ?? '');
  const any = (i: number) => keywords.search(of(anyWords, i), everything, LIMIT);
  await measure('any word, best 50', any, say);
  await measure('any word, by type', (i) => keywords.search(of(anyWords, i), typed, LIMIT), say);
  await measure(
    'all of two words',
    (i) => keywords.search(of(twoWords, i), everything, LIMIT),
    say,
  );
  await measure('score 50 chunks', (i) => keywords.score(of(anyWords, i), ids), say);
  await measure('nearest 50', (i) => index.nearest(of(vectors, i), everything, LIMIT), say);
  await measure('cosine statistics', (i) => index.cosineStatistics(of(vectors, i)), say);
  say(`recall of the nearest 50: ${(await recall(store)).toFixed(4)}`);
}

/** The share of the exact nearest chunks that are found. */
async function recall(store: ProjectStore): Promise<number> {
  const chunks = sources.flatMap((source) => source.chunks);
  let found = 0;
  for (const query of vectors) {
    const exact = nearestOf(query, chunks);
    const nearest = await store.vectors.nearest(query, everything, LIMIT);
    found += nearest.filter(({ chunkId }) => exact.has(chunkId)).length;
  }
  return found / (vectors.length * LIMIT);
}

function nearestOf(
  query: Vector,
  chunks: readonly { readonly id: string; readonly vector: Vector }[],
): ReadonlySet<string> {
  const ranked = chunks
    .map(({ id, vector }) => ({ id, cosine: cosineSimilarity(query, vector) }))
    .toSorted((a, b) => b.cosine - a.cosine);
  return new Set(ranked.slice(0, LIMIT).map(({ id }) => id));
}

async function measureRates(store: ProjectStore, say: Say): Promise<void> {
  for (const atOnce of [1, 2, 4]) {
    const run = async (first: number) => {
      for (let i = first; i < 2 * QUERIES; i += atOnce)
        await store.keywords.search(of(anyWords, i), everything, LIMIT);
    };
    const ms = await timed(() => Promise.all(Array.from({ length: atOnce }, (_, i) => run(i))));
    say(`${((2000 * QUERIES) / ms).toFixed(0)} searches/s at ${atOnce}`);
  }
}

async function measure(name: string, work: (i: number) => Promise<unknown>, say: Say) {
  for (let i = 0; i < 5; i += 1) await work(i);
  const before = cpuMs(server.pid);
  const times: number[] = [];
  for (let i = 0; i < QUERIES; i += 1) times.push(await timed(() => work(i)));
  const cpu = (cpuMs(server.pid) - before) / QUERIES;
  const median = times.toSorted((a, b) => a - b)[QUERIES / 2] ?? 0;
  say(`${name}: median ${median.toFixed(1)} ms, ${cpu.toFixed(1)} CPU ms`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function queries(read: (words: readonly string[]) => Expression | undefined, words: number) {
  return Array.from({ length: QUERIES }, () => read(madeUp.query(words)) as Expression);
}

function of<T>(list: readonly T[], i: number): T {
  return list[i % list.length] as T;
}
