import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '../../src/adapters/sqlite/database/driver.js';
import { type Client, startClient } from '../../test/support/running-service-calls.js';
import type { HttpAnswer } from '../../test/support/service-at-url.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import { AcknowledgementLog } from './generations.js';
import { LiveHeaps } from './live-heaps.js';
import { collectedAt, figures, growth, memoryGrowth, sampled } from './resource-samples.js';
import { tinyModelEnvironment } from './tiny-model-environment.js';

const FEATURES_OF_EACH = 6;
const KILL_EVERY_S = 60;

/** F22: mixed load on two services of one project; one is watched, the other is killed every minute. */
export const soak: FaultFamily = {
  name: 'F22',
  title: 'soak with kills',
  defaultRounds: 0,
  async run({ seconds }) {
    const environment = await tinyModelEnvironment();
    const [project, log] = [new TempProject(), new AcknowledgementLog()];
    const until = performance.now() + seconds * 1000;
    const wrong: string[] = [];
    const requests = { count: 0 };
    const heaps = new LiveHeaps(collectedAt(seconds));
    const watched = await startClient('hybrid', { ...environment, ...heaps.environment });
    const load = (client: Client, name: string) =>
      mixedLoad(client, { project, log, name, until, wrong, requests });
    const [kills, samples] = await Promise.all([
      killedRepeatedly(environment, until, (client) => load(client, 'killed')),
      sampled(watched, project, until),
      load(watched, 'watched'),
      heldReader(project, until, seconds),
    ]);
    await watched.service.stop();
    const { lost, wrong: broken } = log.compare(project);
    wrong.push(...broken, ...problemsIn(project.database, { project: project.path }));
    const left = heaps.read();
    wrong.push(...growth(samples, seconds), ...memoryGrowth(left, seconds));
    project.remove();
    const notes = [`${seconds} s, ${kills} kills`, ...figures(samples, left)];
    return {
      rounds: requests.count,
      acknowledged: log.count,
      lost: lost.length,
      wrong: [...lost, ...wrong],
      notes,
    };
  },
  /** A process that keeps everything, as samples of it would look. */
  async negativeControl() {
    const samples = Array.from({ length: 900 }, (_, index) => ({
      second: index * 2,
      memoryMb: 100 + index * 0.1,
      files: 30 + Math.floor(index / 100),
      walMb: index / 10,
    }));
    const left = samples.map(({ second, memoryMb }) => ({ second, memoryMb, heldMb: memoryMb }));
    return [...memoryGrowth(left, 1_800), ...growth(samples, 1_800)];
  },
};

interface Load {
  readonly project: TempProject;
  readonly log: AcknowledgementLog;
  /** Begins the names of the sources that this client writes. */
  readonly name: string;
  readonly until: number;
  readonly wrong: string[];
  readonly requests: { count: number };
}

async function mixedLoad(client: Client, { project, log, name, until, wrong, requests }: Load) {
  const own = Array.from({ length: FEATURES_OF_EACH }, (_, index) => `${name}${index}`);
  const { process } = client.service;
  /** Undefined once the service is gone. */
  const sent = async (work: Promise<HttpAnswer>): Promise<boolean> => {
    const answer = await work.catch(() => undefined);
    if (answer === undefined) return false;
    requests.count += 1;
    const isFine =
      answer.status === 200 || (answer.status === 503 && answer.headers.has('retry-after'));
    if (!isFine) wrong.push(`HTTP ${answer.status}: ${answer.text}`);
    return answer.status === 200;
  };
  for (let turn = 0; performance.now() < until && process.isRunning(); turn += 1) {
    for (const feature of own) log.write(project, feature);
    const snapshot = log.snapshot(own);
    const route = turn % 5 === 4 ? '/rebuild' : '/ingest/reflections';
    if (await sent(client.post(route, project))) log.confirm(snapshot);
    for (const query of ['apple', `generation${turn}`, '"disk engine" OR forest*']) {
      await sent(client.search(project, query));
      await sent(client.search(project, query, { candidates: 'union' }));
    }
    await sent(client.stats(project));
    await sent(client.post('/x/prune', project));
    await sent(client.status(project));
    await pause(20);
  }
}

async function killedRepeatedly(
  environment: Readonly<Record<string, string>>,
  until: number,
  load: (client: Client) => Promise<void>,
): Promise<number> {
  for (let kills = 0; ; kills += 1) {
    const client = await startClient('hybrid', environment);
    const working = load(client);
    const left = until - performance.now();
    await pause(Math.max(0, Math.min(KILL_EVERY_S * 1000, left)));
    await Promise.all([client.service.process.kill(), working]);
    if (performance.now() >= until) return kills + 1;
  }
}

/** Another program reads in one transaction for a while, so that the log cannot be reset. */
async function heldReader({ database }: TempProject, until: number, seconds: number) {
  await pause((seconds * 1000) / 3);
  const db = new Database(database, { timeout: 15_000 });
  db.exec('BEGIN');
  db.prepare('SELECT count(*) FROM chunks').get();
  await pause(Math.max(0, Math.min(KILL_EVERY_S * 1000, until - performance.now())));
  db.close();
}
