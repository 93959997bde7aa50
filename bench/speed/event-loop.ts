import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { HttpServer } from '../../dist/adapters/http/server/http-server.js';
import { configOf } from '../../dist/app/config/read-config.js';
import { backendsModule } from '../../dist/app/wiring/backends.js';
import { createService } from '../../dist/app/wiring/container.js';
import { QuietMonitor } from '../../test/fakes/quiet-monitor.js';
import { generator } from '../quality/statistics.js';
import { POLL_HEALTH, SEARCH } from './load-threads.js';
import { plantedEmbedder, plantVectors } from './planted-vectors.js';

/**
 * How long the event loop stands still, and how long `/health` takes, while the service works on a
 * project of made-up text: once with SQLite in the main thread, then with 1, 2, … threads that read.
 *
 *   npm run bench:loop -- [chunks = 20000] [seconds of load = 10] [threads = 0,1,2]
 */
const [chunks = '20000', loadSeconds = '10', threads = '0,1,2'] = process.argv.slice(2);
const WORDS_PER_CHUNK = 60;
const CHUNKS_PER_FILE = 10;
const MODEL = 'planted vectors';
/** As long as a file may be. */
const BIG_FILE_BYTES = 10 * 2 ** 20;
const random = generator(1);
const words = Array.from({ length: 20_000 }, (_, rank) => `w${rank.toString(36)}`);

process.stdout.write('threads  phase                  s   loop p99  max    /health p99  max ms\n');
for (const count of threads.split(',')) await measure(count);

async function measure(count: string): Promise<void> {
  const project = madeUpProject();
  const phaseOf = (url: string) => (name: string, work: () => Promise<unknown>) =>
    observed(`${count.padEnd(7)}  ${name.padEnd(20)}`, url, work);
  await withService(
    { threads: Number(count), dataDir: project, downloads: 'forbidden' },
    async ({ url, store }) => {
      const phase = phaseOf(url);
      await phase('first ingest', () => store.reindex(project));
      await phase('ingest, unchanged', () => store.reindex(project));
      writeFileSync(join(project, 'big.md'), bigFile());
      await phase('ingest, a 10 MB file', () => store.reindex(project));
      await phase('stats and status', async () => {
        await store.getStats(project);
        await store.getEmbeddingStatus(project);
      });
      for (const connections of [1, 10, 50]) {
        let searches = 0;
        await phase(`${connections} connections`, async () => {
          searches = await load(url, project, connections);
        });
        process.stdout.write(
          `         ${(searches / Number(loadSeconds)).toFixed(0)} searches/s\n`,
        );
      }
    },
  );
  plantVectors(databaseOf(project), MODEL);
  const embedder = plantedEmbedder(MODEL);
  await withService(
    { threads: Number(count), dataDir: project, backends: { embedder } },
    async ({ url, store }) => {
      const phase = phaseOf(url);
      const union = () => store.search(project, 'w1 w2 w3', { candidates: 'union' });
      await phase('first union', union);
      await phase('ten unions', async () => {
        for (let search = 0; search < 10; search += 1) await union();
      });
      await phase('rebuild', () => store.rebuildIndex(project));
      outdate(project);
      await phase('prune', () => store.pruneStaleChunks(project));
    },
  );
  rmSync(project, { recursive: true });
}

type Options = NonNullable<Parameters<typeof configOf>[0]>;

interface Served {
  readonly url: string;
  readonly store: ReturnType<typeof createService>['store'];
}

async function withService(
  options: Options,
  work: (service: Served) => Promise<void>,
): Promise<void> {
  const all = { ...options, logger: 'error' } as const;
  const service = createService(configOf(all), [backendsModule(all)]);
  const monitor = new QuietMonitor();
  const place = { host: '127.0.0.1', port: 0, variant: 'bench' };
  const server = new HttpServer({ ...service, ...place, monitor });
  await work({ url: await server.listen(), store: service.store });
  await server.close();
  await service.stop();
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

function databaseOf(project: string): string {
  return join(project, '.knowledge/knowledge.db');
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
  const parts: string[] = [];
  for (let bytes = 0; bytes < BIG_FILE_BYTES; bytes += (parts.at(-1) ?? '').length) {
    parts.push(sections(1));
  }
  return parts.slice(0, -1).join('');
}

function sections(count: number): string {
  const text = () => Array.from({ length: WORDS_PER_CHUNK }, word).join(' ');
  return Array.from({ length: count }, () => `## ${word()} ${word()}\n${text()}.\n\n`).join('');
}

/** Rank and frequency as in natural text. */
function word(): string {
  return words[Math.floor(words.length ** random()) - 1] ?? 'w0';
}

function outdate(project: string): void {
  const db = new Database(databaseOf(project));
  db.exec(
    "UPDATE chunks SET created_at = '2020-01-01', retrieval_count = 0, last_retrieved_at = NULL",
  );
  db.close();
}
