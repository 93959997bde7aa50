import { setTimeout as pause } from 'node:timers/promises';
import { execute } from '../../test/support/database-inspection.js';
import { okBody, VARIANTS } from '../../test/support/running-service-calls.js';
import type { LoadReport } from './loader.js';
import { longestWait } from './lock-waits.js';
import { BOMB, madeUpProject, SearchedService } from './searched-service.js';

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
        ...(connections === 10 && { [`p99 < ${most} ms`]: percentile(report, 0.99) < most }),
      };
      rows.push({ load: `${variant}, ${connections} conn.`, report, seconds, loopDelayMs, gates });
    }
    await service.stop();
  }
  return rows;
};

/** L2: the same while another project is ingested: half as many files as there are chunks. */
const whileIngesting: Load = async ({ chunks, seconds }) => {
  const service = await SearchedService.start('hybrid', chunks);
  const ingest = async (files: number) => {
    const project = madeUpProject(files * 10);
    const begin = performance.now();
    okBody(await service.client.rebuild(project));
    const took = (performance.now() - begin) / 1000;
    project.remove();
    return took;
  };
  const files = Math.ceil(chunks / 2);
  const idle = await service.load({ seconds });
  const alone = await ingest(files);
  const [report, together] = await Promise.all([
    service.load({ seconds: Math.max(seconds, alone) }),
    ingest(files),
  ]);
  await service.stop();
  const ratio = percentile(report, 0.99) / percentile(idle, 0.99);
  const gates = {
    'only 200': isAnswered(report),
    [`p99 at most 2 x idle (${ratio.toFixed(1)} x)`]: ratio <= 2,
    [`ingest at most 2 x alone (${(together / alone).toFixed(1)} x ${alone.toFixed(0)} s)`]:
      together <= 2 * alone,
  };
  return [
    { load: 'idle, 10 conn.', report: idle, seconds, gates: {} },
    { load: `ingest of ${files} files`, report, seconds: Math.max(seconds, alone), gates },
  ];
};

/** L3: more connections than are served at once. */
const overload: Load = async ({ chunks, seconds }) => {
  const service = await SearchedService.start('hybrid', chunks);
  const health: number[] = [];
  let isOver = false;
  const polling = (async () => {
    while (!isOver) {
      const begin = performance.now();
      okBody(await service.client.service.get('/health'));
      health.push(performance.now() - begin);
      await pause(20);
    }
  })();
  const report = await service.load({ connections: 500, seconds });
  isOver = true;
  await polling;
  const begin = performance.now();
  okBody(await service.client.search(service.project, 'w1'));
  const recoveryMs = performance.now() - begin;
  await service.stop();
  const healthMs = at(health, 0.99);
  const gates = {
    'only 200 and 503 with Retry-After':
      isAnswered(report, ['200', '503']) && report.withoutRetryAfter === 0,
    [`/health p99 < 100 ms (${healthMs.toFixed(0)})`]: healthMs < 100,
    [`recovers in < 5 s (${(recoveryMs / 1000).toFixed(1)})`]: recoveryMs < 5_000,
  };
  return [{ load: '500 conn.', report, seconds, gates }];
};

/** L4: how long another writer waits during maintenance. */
const maintenance: Load = async ({ chunks }) => {
  const service = await SearchedService.start('hybrid', chunks);
  const { client, project } = service;
  const rows: LoadRow[] = [];
  const works = { doctor: '/x/doctor', rebuild: '/rebuild', prune: '/x/prune' } as const;
  for (const [name, route] of Object.entries(works)) {
    if (name === 'prune') {
      execute(
        project.database,
        "UPDATE chunks SET created_at = '2020-01-01', retrieval_count = 0, last_retrieved_at = NULL",
      );
    }
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

/** L5: many projects in turn. */
const manyProjects: Load = async ({ seconds }) => {
  const service = await SearchedService.start('hybrid', 100);
  const projects = Array.from({ length: 50 }, () => madeUpProject(100));
  for (const project of projects) okBody(await service.client.rebuild(project));
  const report = await service.load({ seconds, projects: projects.map(({ path }) => path) });
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
  const report = await service.load({ seconds, bomb: BOMB });
  await service.stop();
  const ratio = percentile(report, 0.99) / percentile(idle, 0.99);
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

export function percentile({ latencies }: LoadReport, share: number): number {
  return at(latencies, share);
}

function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;
}

function isAnswered({ statuses }: LoadReport, allowed: readonly string[] = ['200']): boolean {
  return Object.keys(statuses).every((status) => allowed.includes(status));
}
