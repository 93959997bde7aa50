import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { createKnowledgeStore } from '../../../src/index.js';
import { median, percentile } from '../../quality/statistics.js';
import { ms, processorMs } from '../measuring.js';
import type { Part } from '../part.js';
import { APP_DIR, largeProject, textsOf } from '../search/large-project.js';

/** Statistics, rebuild and prune of a large project, and how long another process waits for the write lock meanwhile. */
export const upkeep: Part = async ({ archive, cache, chunks }) => {
  const folder = await mkdtemp(join(cache, 'upkeep-'));
  const project = join(folder, 'project');
  const made = await largeProject(cache, await textsOf(archive, cache), chunks);
  await cp(made, project, { recursive: true });
  const file = join(project, APP_DIR, 'knowledge.db');
  const { store, stop } = createKnowledgeStore({ variant: 'search-only', logger: 'silent' });
  await store.initialize(project);
  const stats: number[] = [];
  for (let run = 0; run < STATS_RUNS; run += 1) {
    stats.push(await processorMs(() => store.getStats(project)));
  }
  const rebuild = await locked(file, () => store.rebuildIndex(project));
  outdate(file);
  const prune = await locked(file, () => store.pruneStaleChunks(project));
  await stop();
  await rm(folder, { recursive: true });
  return [
    {
      title: `Upkeep of ${chunks} chunks`,
      head: ['', 'processor ms', 'seconds', 'longest wait for the write lock, ms', 'p99'],
      rows: [
        ['statistics', ms(median(stats)), '', '', ''],
        ['rebuild', ...rebuild],
        ['prune all', ...prune],
      ],
    },
  ];
};

const STATS_RUNS = 20;

async function locked(
  file: string,
  work: () => Promise<unknown>,
): Promise<readonly [string, string, string, string]> {
  const writer = new Worker(WRITE, { eval: true, workerData: file });
  await new Promise((resolve) => writer.once('message', resolve));
  const begin = performance.now();
  const took = await processorMs(work);
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  writer.postMessage('stop');
  const waits = await new Promise<readonly number[]>((resolve) => writer.once('message', resolve));
  return [ms(took), seconds, ms(Math.max(...waits)), ms(percentile(waits, 0.99))];
}

/** Takes the write lock every 10 ms, and reports how long it had to wait. */
const WRITE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const Database = require('better-sqlite3');
  const db = new Database(workerData, { timeout: 0 });
  const waits = [];
  let isOver = false;
  parentPort.once('message', () => { isOver = true; });
  const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const take = async () => {
    const begin = performance.now();
    for (;;) {
      try {
        db.exec('BEGIN IMMEDIATE; COMMIT');
        return performance.now() - begin;
      } catch (error) {
        if (!/BUSY/.test(error.code)) throw error;
      }
      await pause(1);
    }
  };
  (async () => {
    parentPort.postMessage('ready');
    while (!isOver) {
      waits.push(await take());
      await pause(10);
    }
    db.close();
    parentPort.postMessage(waits);
  })();
`;

function outdate(file: string): void {
  const db = new Database(file);
  db.exec(
    "UPDATE chunks SET created_at = '2020-01-01', retrieval_count = 0, last_retrieved_at = NULL",
  );
  db.close();
}
