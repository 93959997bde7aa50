import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '../../src/adapters/sqlite/database/driver.js';
import { execute } from '../../test/support/database-inspection.js';
import { okBody, VARIANTS } from '../../test/support/running-service-calls.js';
import type { TempProject } from '../../test/support/temp-project.js';
import { percentile } from '../quality/statistics.js';
import { LoadClient, type LoadReport } from './load-client.js';
import { madeUpProject, SearchedService } from './searched-service.js';

export interface LoadOptions {
  readonly chunks: number;
  readonly seconds: number;
}

/** One line of the table; a gate is a sentence and whether it held. */
export interface LoadRow {
  readonly load: string;
  readonly report?: LoadReport;
  readonly seconds: number;
  readonly loopDelayMs?: number;
  readonly gates: Readonly<Record<string, boolean>>;
}

/** Those of 5,000 files. */
const INGESTED_CHUNKS = 50_000;

export type Load = (options: LoadOptions) => Promise<readonly LoadRow[]>;

/** L1: searches over 1 to 200 connections, in both variants. */
const searches: Load = async ({ chunks, seconds }) => {
  const rows: LoadRow[] = [];
  for (const variant of VARIANTS) {
    const service = await SearchedService.start(variant, chunks);
    for (const connections of [1, 10, 50, 200]) {
      await service.loopDelayP99();
      const report = await service.load({ connections, seconds });
      const loopDelayMs = await service.loopDelayP99();
      const most = chunks <= 10_000 ? 50 : 150;
      const gates = {
        'only 200': isAnswered(report),
        'loop delay p99 < 20 ms': loopDelayMs < 20,
        ...(connections === 10 && {
          [`p99 < ${most} ms`]: percentile(report.latencies, 0.99) < most,
        }),
      };
      rows.push({ load: `${variant}, ${connections} conn.`, report, seconds, loopDelayMs, gates });
    }
    await service.stop();
  }
  return rows;
};

/** L2: the same while other projects of 5,000 files each are ingested, one after the other. */
const whileIngesting: Load = async ({ chunks, seconds }) => {
  const service = await SearchedService.start('hybrid', chunks);
  const ingest = async (projects: readonly TempProject[]) => {
    const begin = performance.now();
    for (const project of projects) okBody(await service.client.rebuild(project));
    return (performance.now() - begin) / 1000;
  };
  const projects = Array.from({ length: 6 }, () => madeUpProject(INGESTED_CHUNKS));
  await service.load({ seconds });
  const idle = await service.load({ seconds });
  const alone = await ingest(projects.slice(3));
  const [report, together] = await Promise.all([
    service.load({ seconds: alone }),
    ingest(projects.slice(0, 3)),
  ]);
  for (const project of projects) project.remove();
  await service.stop();
  const ratio = percentile(report.latencies, 0.99) / percentile(idle.latencies, 0.99);
  const gates = {
    'only 200': isAnswered(report),
    [`p99 at most 2 x idle (${ratio.toFixed(1)} x)`]: ratio <= 2,
    [`ingest at most 2 x alone (${(together / alone).toFixed(1)} x ${alone.toFixed(0)} s)`]:
      together <= 2 * alone,
  };
  return [
    { load: 'idle, 10 conn.', report: idle, seconds, gates: {} },
    { load: 'ingest of 3 x 5,000 files', report, seconds: alone, gates },
  ];
};

/** L3: more connections than are served at once. */
const overload: Load = async ({ chunks, seconds }) => {
  const service = await SearchedService.start('hybrid', chunks);
  const poller = new LoadClient();
  const health = { url: `${service.client.service.url}/health`, bodies: [], connections: 1 };
  const [report, { latencies, statuses }] = await Promise.all([
    service.load({ connections: 500, seconds }),
    poller.run({ ...health, seconds, everyMs: 20 }),
  ]);
  poller.stop();
  const begin = performance.now();
  okBody(await service.client.search(service.project, 'w1'));
  const recoveryMs = performance.now() - begin;
  await service.stop();
  const healthMs = percentile(latencies, 0.99);
  const gates = {
    'only 200 and 503 with Retry-After':
      isAnswered(report, ['200', '503']) && report.withoutRetryAfter === 0,
    [`/health p99 < 100 ms (${healthMs.toFixed(0)})`]:
      healthMs < 100 && Object.keys(statuses).join() === '200',
    [`recovers in < 5 s (${(recoveryMs / 1000).toFixed(1)})`]: recoveryMs < 5_000,
  };
  return [{ load: '500 conn.', report, seconds, gates }];
};

/** L4: how long another writer waits during maintenance. */
const maintenance: Load = async ({ chunks }) => {
  const service = await SearchedService.start('hybrid', chunks);
  const { client, project } = service;
  const rows: LoadRow[] = [];
  for (const { name, route, before } of UPKEEP) {
    execute(project.database, before);
    const begin = performance.now();
    const work = client.post(route, project);
    const heldMs = await longestWait(project.database, work);
    okBody(await work);
    const seconds = (performance.now() - begin) / 1000;
    const gates = { [`write lock held < 250 ms (${heldMs.toFixed(0)})`]: heldMs < 250 };
    rows.push({ load: `${name}, ${chunks} chunks`, seconds, gates });
  }
  await service.stop();
  return rows;
};

/** Each with what is done by hand before: the full-text index then has several parts, and every chunk is old. */
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

/** L5: many projects in turn. */
const manyProjects: Load = async ({ seconds }) => {
  const service = await SearchedService.start('hybrid', 100);
  const projects = Array.from({ length: 50 }, () => madeUpProject(100));
  for (const project of projects) okBody(await service.client.rebuild(project));
  const report = await service.load(
    { seconds },
    projects.map(({ path }) => path),
  );
  const descriptors = service.descriptors();
  for (const project of projects) project.remove();
  await service.stop();
  const gates = {
    'only 200': isAnswered(report),
    [`descriptors < 800 (${descriptors})`]: descriptors < 800,
  };
  return [{ load: '50 projects in turn', report, seconds, gates }];
};

/** L6: one query in a hundred is as expensive as a query can be. */
const bombs: Load = async ({ chunks, seconds }) => {
  const service = await SearchedService.start('hybrid', chunks);
  const idle = await service.load({ seconds });
  const report = await service.load({ seconds, bomb: service.bomb });
  await service.stop();
  const ratio = percentile(report.latencies, 0.99) / percentile(idle.latencies, 0.99);
  const gates = {
    'only 200': isAnswered(report),
    [`p99 of the others < 3 x idle (${ratio.toFixed(1)} x)`]: ratio < 3,
  };
  return [
    { load: 'idle, 10 conn.', report: idle, seconds, gates: {} },
    { load: '1 % largest queries', report, seconds, gates },
  ];
};

export const LOADS: Readonly<Record<string, Load>> = {
  L1: searches,
  L2: whileIngesting,
  L3: overload,
  L4: maintenance,
  L5: manyProjects,
  L6: bombs,
};

function isAnswered({ statuses }: LoadReport, allowed: readonly string[] = ['200']): boolean {
  return Object.keys(statuses).every((status) => allowed.includes(status));
}

/** How long another program is kept from the write lock at most while some work is under way, in milliseconds. */
async function longestWait(path: string, work: Promise<unknown>): Promise<number> {
  const db = new Database(path, { timeout: 0 });
  let [longest, refusedSince, isDone] = [0, 0, false];
  work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const now = performance.now();
    try {
      db.exec('BEGIN IMMEDIATE; COMMIT');
      if (refusedSince > 0) longest = Math.max(longest, now - refusedSince);
      refusedSince = 0;
    } catch {
      if (refusedSince === 0) refusedSince = now;
    }
    await pause(5);
  }
  db.close();
  return Math.max(longest, refusedSince > 0 ? performance.now() - refusedSince : 0);
}
