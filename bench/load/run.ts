import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import { execute } from '../../test/support/database-inspection.js';
import { asShipped } from '../../test/support/running-service.js';
import { okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { TINY_MODEL } from '../../test/support/tiny-model.js';
import { tinyModelEnvironment } from '../faults/tiny-model-environment.js';
import { generator, percentile } from '../quality/statistics.js';
import { type Row, runAsked } from '../runner.js';
import { plantVectors } from '../speed/planted-vectors.js';
import { LoadClient, whilePolled } from './load-client.js';

/**
 * Measures how other requests fare while a large store is examined, rebuilt and pruned; see bench/README.md.
 *
 *   npm run test:load -- [--chunks N]
 */
const { values } = parseArgs({ options: { chunks: { type: 'string', default: '10000' } } });
const chunks = Number(values.chunks);

/** Limits that we promise for a rebuild of 100,000 chunks. */
const HEALTH_P99_MS = 50;
const HEALTH_MAX_MS = 1000;

/** Each with SQL to run before: it splits the full-text index into several segments, or makes every chunk old. */
const UPKEEP = [
  { name: 'doctor', route: '/x/doctor', before: '' },
  {
    name: 'rebuild',
    route: '/rebuild',
    before: "UPDATE chunks SET content = content || ' w1' WHERE rowid % 10 = 0",
  },
  {
    name: 'prune',
    route: '/x/prune',
    before:
      "UPDATE chunks SET created_at = '2020-01-01', retrieval_count = 0, last_retrieved_at = NULL",
  },
];

asShipped();
const environment = await tinyModelEnvironment();
const project = madeUpProject();
// Without a model, so that no chunk is embedded before vectors are planted.
const indexing = await startClient('search-only', environment);
okBody(await indexing.rebuild(project));
await indexing.service.stop();
plantVectors(project.database, TINY_MODEL);
const client = await startClient('hybrid', environment);
const poller = new LoadClient();
await runAsked(
  Object.fromEntries(UPKEEP.map((upkeep) => [upkeep.name, async () => [await measured(upkeep)]])),
  [],
);
poller.stop();
await client.service.stop();
project.remove();

async function measured({ name, route, before }: (typeof UPKEEP)[number]): Promise<Row> {
  execute(project.database, before);
  const begin = performance.now();
  const { result, health } = await whilePolled(poller, client.service, async () => {
    const work = client.post(route, project);
    const lockMs = await longestWait(work);
    okBody(await work);
    return { lockMs, seconds: (performance.now() - begin) / 1000 };
  });
  const p99 = percentile(health.latencies, 0.99);
  const max = health.latencies.reduce((longest, ms) => Math.max(longest, ms), 0);
  const statuses = Object.keys(health.statuses).join(', ');
  return {
    name,
    isGood: p99 < HEALTH_P99_MS && max < HEALTH_MAX_MS && statuses === '200',
    cells: {
      seconds: rounded(result.seconds),
      '/health': statuses,
      'p99 ms': rounded(p99),
      'max ms': rounded(max),
      'write lock held ms': rounded(result.lockMs),
    },
  };
}

/** The longest time, in milliseconds, for which another program cannot get the write lock during some work. */
async function longestWait(work: Promise<unknown>): Promise<number> {
  const db = openDatabase(project.database, { timeout: 0 });
  let [longest, freeAt] = [0, performance.now()];
  for (const isOver = watched(work); !isOver(); await pause(5)) {
    try {
      db.exec('BEGIN IMMEDIATE; COMMIT');
      freeAt = performance.now();
    } catch {
      longest = Math.max(longest, performance.now() - freeAt);
    }
  }
  db.close();
  return longest;
}

function watched(work: Promise<unknown>): () => boolean {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  return () => isOver;
}

/** A project whose words are distributed as in natural text. */
function madeUpProject(): TempProject {
  const random = generator(1);
  const word = () => `w${Math.floor(20_000 ** random()).toString(36)}`;
  const section = () =>
    `## ${word()} ${word()}\n${Array.from({ length: 60 }, word).join(' ')}.\n\n`;
  const made = new TempProject();
  for (let file = 0; file < chunks / 10; file += 1) {
    made.write(`docs/${file}.md`, Array.from({ length: 10 }, section).join(''));
  }
  return made;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
