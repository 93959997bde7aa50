/**
 * Compares SQLite with a PostgreSQL server on the same chunks, through the ports:
 * `tsx bench/speed/stores-at-scale.ts <corpus.jsonl> <chunks> <postgres://…> [pid of the server]`.
 * The chunks are made of the sentences of a corpus, their vectors are random around 200 topics.
 * CPU time is that of this process, plus that of the server if its pid is given and /proc can be read.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresProjectStores } from '../../src/adapters/postgres/stores/postgres-project-stores.js';
import { SqliteProjectStores } from '../../src/adapters/sqlite/stores/sqlite-project-stores.js';
import { systemClock } from '../../src/adapters/system/system-clock.js';
import type { Expression } from '../../src/domain/query/expression.js';
import { allWords, anyInformativeWord } from '../../src/domain/query/query.js';
import type { Vector } from '../../src/domain/ranking/vector.js';
import type { ProjectStore, ProjectStores } from '../../src/ports/driven/project-stores.js';
import { SilentLogger } from '../../test/fakes/silent-logger.js';

const [corpus = '', chunkCount = '100000', url = '', serverPid] = process.argv.slice(2);
const DIMENSIONS = 384;
const CHUNKS_PER_SOURCE = 20;
const random = seeded(1);
const logger = new SilentLogger();
const common = { model: 'random', dimensions: DIMENSIONS, clock: systemClock, logger };
const texts = readFileSync(corpus, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { readonly title: string; readonly text: string });
const sentences = texts.flatMap(({ text }) => text.split(/(?<=\.) /));
const topics = Array.from({ length: 200 }, () => randomVector(1));

const root = mkdtempSync(join(tmpdir(), 'stores-at-scale-'));
const key = `stores-at-scale ${Date.now()}`;
const engines: Readonly<Record<string, ProjectStores>> = {
  SQLite: new SqliteProjectStores({ ...common, appDir: '.knowledge' }),
  PostgreSQL: new PostgresProjectStores({
    ...common,
    url,
    keys: { find: async () => key, open: async () => key },
  }),
};
for (const [name, stores] of Object.entries(engines)) {
  const store = await stores.open(root);
  await fill(name, store);
  await measureAll(name, store);
  const { sizeBytes } = await store.chunks.stats();
  console.log(`${name}: ${(sizeBytes / 1e6).toFixed(0)} MB`);
  await stores.close();
}
rmSync(root, { recursive: true });

async function fill(name: string, store: ProjectStore): Promise<void> {
  const sources = Math.ceil(Number(chunkCount) / CHUNKS_PER_SOURCE);
  const state = seeded(2);
  let [ingestMs, vectorMs] = [0, 0];
  for (let source = 0; source < sources; source += 1) {
    const chunks = Array.from({ length: CHUNKS_PER_SOURCE }, () => ({
      content: Array.from({ length: 6 }, () => pick(sentences, state)).join(' '),
      importance: 0.5,
    }));
    const sourceFile = `docs/${source}.md`;
    const document = { sourceType: 'file', sourceFile, contentHash: `${source}`, chunks } as const;
    const start = performance.now();
    await store.chunks.replaceSource(sourceFile, async () => document);
    const between = performance.now();
    await store.vectors.put(
      chunks.map(({ content }, place) => ({
        chunkId: `${sourceFile}#${place}`,
        texts: [content],
        vector: around(pick(topics, state)),
      })),
    );
    ingestMs += between - start;
    vectorMs += performance.now() - between;
  }
  const rate = (ms: number) => Math.round((sources * CHUNKS_PER_SOURCE * 1000) / ms);
  console.log(`${name}: ingest ${rate(ingestMs)} chunks/s, vectors ${rate(vectorMs)}/s`);
  const start = performance.now();
  await store.keywords.rebuild();
  console.log(
    `${name}: rebuild of the indexes ${((performance.now() - start) / 1000).toFixed(0)} s`,
  );
}

async function measureAll(name: string, store: ProjectStore): Promise<void> {
  const words = Array.from({ length: 60 }, () => pick(texts, random).title.split(' ').slice(0, 8));
  const any = words.map((list) => anyInformativeWord(list) as Expression);
  const all = words.map((list) => allWords(list.slice(0, 2)) as Expression);
  const everything = { sourceTypes: 'all' } as const;
  const typed = { sourceTypes: ['file', 'reflection'] } as const;
  const search =
    (list: readonly Expression[], filter: typeof everything | typeof typed) => (i: number) =>
      store.keywords.search(list[i % list.length] as Expression, filter, 50);
  await measure(`${name}, any word`, search(any, everything));
  await measure(`${name}, any word, by type`, search(any, typed));
  await measure(`${name}, all of two words`, search(all, everything));
  const ids = Array.from({ length: 50 }, (_, i) => `docs/${i * 7}.md#3`);
  await measure(`${name}, score 50`, (i) =>
    store.keywords.score(any[i % any.length] as Expression, ids),
  );
  const vectors = words.map(() => around(pick(topics, random)));
  const vector = (i: number) => vectors[i % vectors.length] as Vector;
  await measure(`${name}, nearest 50`, (i) => store.vectors.nearest(vector(i), everything, 50));
  await measure(`${name}, cosine statistics`, (i) => store.vectors.cosineStatistics(vector(i)));
  for (const connections of [1, 2, 4]) {
    const start = performance.now();
    const run = async (first: number) => {
      for (let i = first; i < 120; i += connections) await search(any, everything)(i);
    };
    await Promise.all(Array.from({ length: connections }, (_, i) => run(i)));
    const rate = 120_000 / (performance.now() - start);
    console.log(`${name}: ${rate.toFixed(0)} searches/s at ${connections}`);
  }
}

async function measure(name: string, work: (i: number) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < 5; i += 1) await work(i);
  const times: number[] = [];
  const before = cpuMs();
  for (let i = 0; i < 60; i += 1) {
    const start = performance.now();
    await work(i);
    times.push(performance.now() - start);
  }
  const cpu = (cpuMs() - before) / 60;
  const p50 = times.toSorted((a, b) => a - b)[30] ?? 0;
  console.log(`${name}: p50 ${p50.toFixed(1)} ms, ${cpu.toFixed(1)} CPU ms`);
}

/** Of this process and of the backends of the server. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + (serverPid === undefined ? 0 : serverCpuMs(serverPid));
}

function serverCpuMs(parent: string): number {
  const ticks = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
        return fields[1] === parent ? Number(fields[11]) + Number(fields[12]) : 0;
      } catch {
        return 0;
      }
    });
  return ticks.reduce((sum, value) => sum + value, 0) * 10;
}

function around(topic: Vector): Vector {
  return topic.map((value) => value + 0.6 * gaussian()) as Vector;
}

function randomVector(scale: number): Vector {
  return Float32Array.from({ length: DIMENSIONS }, () => scale * gaussian());
}

function gaussian(): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function pick<T>(list: readonly T[], next: () => number): T {
  return list[Math.floor(next() * list.length)] as T;
}

/** Mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
