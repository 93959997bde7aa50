import { setTimeout as pause } from 'node:timers/promises';
import { chunksIn, withDatabase } from '../../test/support/database-inspection.js';
import { type ModelEndpoint, startModelEndpoint } from '../../test/support/model-endpoint.js';
import { threeQuestions } from '../../test/support/model-endpoint-replies.js';
import { eventually } from '../../test/support/running-service.js';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import type { HttpAnswer } from '../../test/support/service-at-url.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import { writeForeignDatabase } from './foreign-database.js';
import { AcknowledgementLog, SECTIONS } from './generations.js';
import { killedCarelessWriter } from './killed.js';
import type { Random } from './random.js';
import { tinyModelEnvironment } from './tiny-model-environment.js';

const FEATURES = 8;
const STALE_CHUNKS = (FEATURES - 1) * SECTIONS;
const FOREIGN_ROWS = 2_000;
const OLD = '2020-01-01T00:00:00.000Z';

/** Work that is killed, and what must hold of it afterwards. */
interface Work {
  prepare(project: TempProject, client: Client): Promise<void>;
  /** Starts it; what it returns is confirmed if it is a 200. */
  start(
    project: TempProject,
    client: Client,
    endpoint: ModelEndpoint,
  ): Promise<HttpAnswer | undefined>;
  /** The longest time until the kill. */
  readonly withinMs: number;
  problems(project: TempProject, isConfirmed: boolean): readonly string[];
}

/** F1c: SIGKILL in the middle of questions, a prune and a migration; compactions are killed by F1b, rebuilds by F1. */
export const killedUpkeep: FaultFamily = {
  name: 'F1c',
  title: 'kill -9 during upkeep',
  defaultRounds: 20,
  async run({ rounds, random }) {
    const environment = await tinyModelEnvironment();
    const wrong: string[] = [];
    const counts = new Map<string, { killed: number; confirmed: number }>();
    for (let round = 0; round < rounds; round += 1) {
      const [name, work] = WORKS[round % WORKS.length] as (typeof WORKS)[number];
      const seen = await killedRound(work, environment, random);
      const count = counts.get(name) ?? { killed: 0, confirmed: 0 };
      counts.set(name, {
        killed: count.killed + 1,
        confirmed: count.confirmed + (seen.isConfirmed ? 1 : 0),
      });
      wrong.push(...seen.problems.map((sentence) => `${name}, round ${round}: ${sentence}`));
    }
    const notes = [...counts].map(
      ([name, { killed, confirmed }]) =>
        `${name}: ${killed} kills, ${confirmed} after it was confirmed`,
    );
    const acknowledged = [...counts.values()].reduce((sum, { confirmed }) => sum + confirmed, 0);
    return { rounds, acknowledged, lost: 0, wrong, notes };
  },
  negativeControl: killedCarelessWriter,
};

async function killedRound(work: Work, model: Readonly<Record<string, string>>, random: Random) {
  const endpoint = await startModelEndpoint(threeQuestions);
  const environment = { ...model, OPENAI_BASE_URL: endpoint.baseUrl, OPENAI_MODEL: 'scripted' };
  const project = new TempProject();
  const log = new AcknowledgementLog();
  const client = await startClient('hybrid', environment);
  for (let index = 0; index < FEATURES; index += 1) log.write(project, `f${index}`);
  await work.prepare(project, client);
  const running = work.start(project, client, endpoint).catch(() => undefined);
  if (work === questions) await running;
  await pause(random.below(work.withinMs));
  await client.service.process.kill();
  const isConfirmed = (await running)?.status === 200;
  const problems = [
    ...work.problems(project, isConfirmed),
    ...(work === migration ? [] : problemsIn(project.database, { project: project.path })),
  ];
  problems.push(...(await goesOn(work, project, environment)));
  await endpoint.close();
  project.remove();
  return { isConfirmed, problems };
}

/** The next service completes what was interrupted. */
async function goesOn(
  work: Work,
  project: TempProject,
  environment: Readonly<Record<string, string>>,
) {
  const client = await startClient('hybrid', environment);
  const begin = performance.now();
  const found = await client.search(project, 'apple');
  const tookMs = performance.now() - begin;
  const rebuilt = await client.rebuild(project);
  await client.service.stop();
  return [
    ...(found.status === 200 && found.body.results.length > 0
      ? []
      : [`then a search is ${found.text}`]),
    ...(rebuilt.status === 200 ? [] : [`then a rebuild is ${rebuilt.text}`]),
    ...(tookMs > 5_000 ? [`the first search took ${Math.round(tookMs)} ms`] : []),
    ...work.problems(project, false),
    ...problemsIn(project.database, { project: project.path }),
  ];
}

const questions: Work = {
  withinMs: 200,
  async prepare(project, client) {
    okBody(await client.rebuild(project));
  },
  async start(_, __, endpoint) {
    await eventually(() => endpoint.requests.length > 1, { withinMs: 60_000, everyMs: 2 });
    return undefined;
  },
  problems: () => [],
};

/** Of all features but the first: what was pruned stays away, and a search must find something afterwards. */
const prune: Work = {
  withinMs: 10,
  async prepare(project, client) {
    okBody(await client.rebuild(project));
    withDatabase(project.database, (db) => {
      db.prepare(
        "UPDATE chunks SET created_at = ?, retrieval_count = 0 WHERE source_file NOT LIKE '%/f0/%'",
      ).run(OLD);
    });
  },
  start: (project, client) => client.post('/x/prune', project),
  problems(project, isConfirmed) {
    const left = chunksIn(project.database, `created_at = '${OLD}'`).length;
    if (left > 0 && isConfirmed) return [`it was confirmed, and ${left} stale chunks are there`];
    return left > 0 && left !== STALE_CHUNKS
      ? [`${left} of ${STALE_CHUNKS} stale chunks are there`]
      : [];
  },
};

/** A database of another program, without the tables that the service adds. */
const migration: Work = {
  withinMs: 400,
  prepare: async (project) => writeForeignDatabase(project.database, FOREIGN_ROWS),
  start: (project, client) => client.search(project, 'apple'),
  problems(project) {
    const count = chunksIn(project.database, "id LIKE 'row%'").length;
    return count === FOREIGN_ROWS ? [] : [`${count} of ${FOREIGN_ROWS} rows of the other program`];
  },
};

const WORKS = Object.entries({ questions, prune, migration });
