import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { HttpServer } from '../../dist/adapters/http/server/http-server.js';
import { readConfig } from '../../dist/app/config/read-config.js';
import { createService } from '../../dist/app/wiring/container.js';
import { QuietMonitor } from '../../test/fakes/quiet-monitor.js';
import { generator } from '../quality/statistics.js';
import { POLL_HEALTH, SEARCH } from './load-threads.js';

/**
 * How long the event loop stands still, and how long `/health` takes, while the service works on a
 * project of made-up text: once with SQLite in the main thread, then with 1, 2, … threads that read.
 *
 *   npm run bench:loop -- [chunks = 20000] [seconds of load = 10] [threads = 0,1,2]
 */
const [chunks = '20000', loadSeconds = '10', threads = '0,1,2'] = process.argv.slice(2);
const WORDS_PER_CHUNK = 60;
const CHUNKS_PER_FILE = 10;
const random = generator(1);
const words = Array.from({ length: 20_000 }, (_, rank) => `w${rank.toString(36)}`);

process.stdout.write('threads  phase                  s   loop p99  max    /health p99  max ms\n');
for (const count of threads.split(',')) await measure(count);

async function measure(count: string): Promise<void> {
  const project = madeUpProject();
  const service = createService(
    readConfig({
      KNOWLEDGE_THREADS: count,
      KNOWLEDGE_OFFLINE: '1',
      KNOWLEDGE_LOG_LEVEL: 'error',
      DATA_DIR: project,
    }),
  );
  const server = new HttpServer({
    ...service,
    host: '127.0.0.1',
    port: 0,
    variant: 'bench',
    monitor: new QuietMonitor(),
  });
  const url = await server.listen();
  const phase = (name: string, work: () => Promise<unknown>) =>
    observed(`${count.padEnd(7)}  ${name.padEnd(20)}`, url, work);
  await phase('first ingest', () => service.store.reindex(project));
  await phase('ingest, unchanged', () => service.store.reindex(project));
  writeFileSync(join(project, 'big.md'), bigFile());
  await phase('ingest, a 10 MB file', () => service.store.reindex(project));
  plantVectors(project);
  await phase('stats and status', async () => {
    await service.store.getStats(project);
    await service.store.getEmbeddingStatus(project);
  });
  for (const connections of [1, 10, 50]) {
    let searches = 0;
    await phase(`${connections} connections`, async () => {
      searches = await load(url, project, connections);
    });
    process.stdout.write(`         ${(searches / Number(loadSeconds)).toFixed(0)} searches/s\n`);
  }
  outdate(project);
  await phase('prune', () => service.store.pruneStaleChunks(project));
  await server.close();
  await service.stop();
  rmSync(project, { recursive: true });
}

async function observed(name: string, url: string, work: () => Promise<unknown>): Promise<void> {
  const poller = new Worker(POLL_HEALTH, { eval: true, workerData: `${url}/health` });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await sleep(200);
  delay.enable();
  const start = performance.now();
  await work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  await sleep(5);
  delay.disable();
  const health = await new Promise<readonly number[]>((resolve) => {
    poller.once('message', resolve);
    poller.postMessage('stop');
  });
  const ms = (nanoseconds: number) => (nanoseconds / 1e6).toFixed(0).padStart(6);
  const at = (share: number) =>
    (health.toSorted((a, b) => a - b)[Math.floor((health.length - 1) * share)] ?? 0)
      .toFixed(0)
      .padStart(6);
  process.stdout.write(
    `${name} ${seconds.padStart(5)} ${ms(delay.percentile(99))} ${ms(delay.max)}    ${at(0.99)}  ${at(1)}\n`,
  );
}

/** Searches from another thread for some seconds, and returns how many were answered. */
function load(url: string, project: string, connections: number): Promise<number> {
  const worker = new Worker(SEARCH, {
    eval: true,
    workerData: { url, project, connections, ms: Number(loadSeconds) * 1000 },
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function madeUpProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'bench-loop-'));
  mkdirSync(join(project, 'docs'));
  for (let file = 0; file < Number(chunks) / CHUNKS_PER_FILE; file += 1) {
    writeFileSync(join(project, `docs/${file}.md`), sections(CHUNKS_PER_FILE));
  }
  return project;
}

function bigFile(): string {
  const section = sections(100);
  return section.repeat(Math.floor((10 * 2 ** 20 - 1) / section.length));
}

function sections(count: number): string {
  const text = () => Array.from({ length: WORDS_PER_CHUNK }, word).join(' ');
  return Array.from({ length: count }, () => `## ${word()} ${word()}\n${text()}.\n\n`).join('');
}

/** Rank and frequency as in natural text. */
function word(): string {
  return words[Math.floor(words.length ** random()) - 1] ?? 'w0';
}

function plantVectors(project: string): void {
  const db = new Database(join(project, '.knowledge/knowledge.db'));
  const ids = db.prepare<[], string>('SELECT id FROM chunks').pluck().all();
  const insert = db.prepare(
    "INSERT OR IGNORE INTO embeddings VALUES (?, ?, 'Xenova/all-MiniLM-L6-v2', '2026-01-01')",
  );
  db.transaction(() => {
    for (const id of ids) {
      const vector = Float32Array.from({ length: 384 }, () => random() - 0.5);
      insert.run(id, Buffer.from(vector.buffer));
    }
  })();
  db.close();
}

function outdate(project: string): void {
  const db = new Database(join(project, '.knowledge/knowledge.db'));
  db.exec(
    "UPDATE chunks SET created_at = '2020-01-01', retrieval_count = 0, last_retrieved_at = NULL",
  );
  db.close();
}
