import { setTimeout as pause } from 'node:timers/promises';

import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import type { HttpAnswer } from '../../test/support/service-at-url.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import { writeForeignDatabase } from './foreign-database.js';
import { AcknowledgementLog } from './generations.js';
import { killedCarelessWriter } from './killed.js';
import type { Random } from './random.js';
import { tinyModelEnvironment } from './tiny-model-environment.js';

const SEARCHES = 50;
const FEATURES = 2_000;
const LONGEST_STOP_MS = 10_000;

/** F14: SIGTERM at a random moment of every kind of work. */
export const shutdown: FaultFamily = {
  name: 'F14',
  title: 'SIGTERM in every phase',
  defaultRounds: 14,
  async run({ rounds, random, size = FEATURES }) {
    const environment = { ...(await tinyModelEnvironment()), KNOWLEDGE_WORKERS: '2' };
    const wrong: string[] = [];
    const slowest = new Map<string, number>();
    let [acknowledged, lost] = [0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const [name, phase] = PHASES[round % PHASES.length] as (typeof PHASES)[number];
      const seen = await stoppedIn(phase, { environment, random, size });
      slowest.set(name, Math.max(slowest.get(name) ?? 0, seen.tookMs));
      acknowledged += seen.acknowledged;
      lost += seen.lost.length;
      wrong.push(...[...seen.lost, ...seen.wrong].map((one) => `${name}, round ${round}: ${one}`));
    }
    const notes = [...slowest].map(
      ([name, ms]) => `${name}: ended after ${Math.round(ms)} ms at most`,
    );
    return { rounds, acknowledged, lost, wrong, notes };
  },
  negativeControl: killedCarelessWriter,
};

interface Phase {
  readonly prepare?: (project: TempProject, client: Client, size: number) => Promise<unknown>;
  /** Requests that are answered, or refused because the service stops. */
  readonly start: (
    project: TempProject,
    client: Client,
    log: AcknowledgementLog,
  ) => readonly Promise<HttpAnswer>[];
  /** The signal comes at a random moment until then. */
  readonly withinMs: number;
}

interface Scene {
  readonly environment: Readonly<Record<string, string>>;
  readonly random: Random;
  readonly size: number;
}

async function stoppedIn(
  { prepare, start, withinMs }: Phase,
  { environment, random, size }: Scene,
) {
  const project = new TempProject();
  const log = new AcknowledgementLog();
  const client = await startClient('hybrid', environment);
  await prepare?.(project, client, size);
  const answers = Promise.allSettled(start(project, client, log));
  await pause(random.below(withinMs));
  const begin = performance.now();
  client.service.process.signal('SIGTERM');
  const { code } = await client.service.process.exited;
  const tookMs = performance.now() - begin;
  const { lost, wrong } = log.compare(project);
  const found = [
    ...wrong,
    ...undocumented(await answers),
    ...problemsIn(project.database, { project: project.path }),
    ...(code === 0 ? [] : [`it ended with ${code}`]),
    ...(tookMs > LONGEST_STOP_MS ? [`it took ${Math.round(tookMs)} ms to end`] : []),
  ];
  project.remove();
  return { tookMs, acknowledged: log.count, lost, wrong: found };
}

const writeFeatures = async (project: TempProject, _: Client, size: number) => {
  for (let index = 0; index < size; index += 1)
    project.writeReflection(`n${index}`, `## N\n\ndisk ${index}\n`);
};

const indexed = async (project: TempProject, client: Client, size: number) => {
  await writeFeatures(project, client, size);
  okBody(await client.rebuild(project));
};

const PHASES: readonly (readonly [string, Phase])[] = [
  ['searches and an ingestion', { start: searchesAndIngestion, withinMs: 400 }],
  [
    'first indexing',
    {
      prepare: writeFeatures,
      start: (project, client) => [
        client.search(project, 'disk'),
        client.post('/ingest/reflections', project),
      ],
      withinMs: 3_000,
    },
  ],
  ['embedding', { prepare: indexed, start: () => [], withinMs: 1_000 }],
  [
    'rebuild',
    { prepare: indexed, start: (project, client) => [client.rebuild(project)], withinMs: 1_000 },
  ],
  [
    'doctor',
    {
      prepare: indexed,
      start: (project, client) => [client.post('/x/doctor', project)],
      withinMs: 500,
    },
  ],
  [
    'migration',
    {
      prepare: async (project, _, size) => {
        project.write('.knowledge/x', '');
        writeForeignDatabase(project.database, size);
      },
      start: (project, client) => [client.search(project, 'apple')],
      withinMs: 500,
    },
  ],
  ['idle', { prepare: (project, client) => client.open(project), start: () => [], withinMs: 100 }],
];

function searchesAndIngestion(project: TempProject, client: Client, log: AcknowledgementLog) {
  for (let index = 0; index < 20; index += 1) log.write(project, `f${index}`);
  const snapshot = log.snapshot();
  const ingestion = client.post('/ingest/reflections', project).then((answer) => {
    if (answer.status === 200) log.confirm(snapshot);
    return answer;
  });
  return [ingestion, ...Array.from({ length: SEARCHES }, () => client.search(project, 'apple'))];
}

/** Each is answered, or its connection was never accepted. */
function undocumented(settled: readonly PromiseSettledResult<HttpAnswer>[]): readonly string[] {
  return settled.flatMap((each) =>
    each.status === 'fulfilled' && ![200, 503].includes(each.value.status)
      ? [`HTTP ${each.value.status}: ${each.value.text}`]
      : [],
  );
}
