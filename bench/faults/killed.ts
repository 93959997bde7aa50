import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chunksIn, execute } from '../../test/support/database-inspection.js';
import { eventually } from '../../test/support/running-service.js';
import { API, type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily, FaultOptions } from './family.js';
import { AcknowledgementLog } from './generations.js';
import { emptyStore } from './projects.js';
import { SavedTexts } from './saved-texts.js';
import { tinyModelEnvironment } from './tiny-model-environment.js';

const FEATURES = Array.from({ length: 12 }, (_, index) => `f${index}`);
const STALE = 'stale';

/** F1: SIGKILL at a random moment of ingestions, rebuilds, prunes, saves and background embedding. */
export const killed: FaultFamily = {
  name: 'F1',
  title: 'kill -9 at random moments',
  defaultRounds: 50,
  async run({ rounds, random }) {
    const environment = await tinyModelEnvironment();
    const project = new TempProject();
    const log = new AcknowledgementLog();
    const searches = { confirmed: 0 };
    const saved = new SavedTexts();
    const lost: string[] = [];
    const wrong: string[] = [];
    let slowestOpeningMs = 0;
    let embedded = 0;
    for (const feature of FEATURES) log.write(project, feature);
    project.writeReflection('counted', 'A tapir that is searched for and never edited.');
    for (let round = 0; round < rounds; round += 1) {
      const client = await startClient('hybrid', environment);
      const begin = performance.now();
      await client.open(project);
      slowestOpeningMs = Math.max(slowestOpeningMs, performance.now() - begin);
      okBody(await client.post('/x/reindex', project));
      lost.push(...saved.missing(project));
      const isEmbedding = round % 3 === 2;
      const works = [
        isEmbedding ? embed(client, project, log) : work(client, project, log),
        countedSearches(client, project, searches),
        saves(client, project, saved),
      ];
      if (isEmbedding) await works[0];
      else if (round % 2 === 0) await confirmedAfter(log.count, log);
      await pause(random.below(isEmbedding ? 60 : 400));
      await client.service.process.kill();
      await Promise.all(works);
      const compared = log.compare(project);
      lost.push(...compared.lost, ...lostCounts(project, searches.confirmed));
      wrong.push(...compared.wrong, ...problemsIn(project.database, { project: project.path }));
      const vectors = chunksIn(project.database, 'id IN (SELECT chunk_id FROM embeddings)').length;
      embedded = Math.max(embedded, vectors);
    }
    project.remove();
    return {
      rounds,
      acknowledged: log.count + searches.confirmed + saved.count,
      lost: lost.length,
      wrong: [...lost, ...wrong],
      notes: [
        `slowest opening after a kill ${Math.round(slowestOpeningMs)} ms`,
        `${embedded} chunks at most had vectors; ${saved.count} notes and documents were confirmed`,
      ],
    };
  },
  negativeControl: killedCarelessWriter,
};

async function saves(client: Client, project: TempProject, saved: SavedTexts): Promise<void> {
  while (client.service.process.isRunning()) {
    await saved.save(client, project);
    await pause(5);
  }
}

/** Edits and ingests, rebuilds, and prunes, until the service is gone. */
async function work(client: Client, project: TempProject, log: AcknowledgementLog): Promise<void> {
  for (let turn = 0; client.service.process.isRunning(); turn += 1) {
    for (const feature of FEATURES) if (turn > 0) log.write(project, feature);
    const snapshot = log.snapshot();
    const route = turn % 3 === 2 ? '/rebuild' : '/ingest/reflections';
    if (await isConfirmed(client, project, route)) log.confirm(snapshot);
    await pruneStale(client, project);
  }
}

/** Waits for the next confirmation. Half of the kills come after one, however slow the machine is. */
async function confirmedAfter(count: number, log: AcknowledgementLog): Promise<void> {
  await eventually(() => log.count > count, { withinMs: 30_000, everyMs: 1 });
}

/** Edits and ingests everything, and returns once the background work has stored a vector. */
async function embed(client: Client, project: TempProject, log: AcknowledgementLog): Promise<void> {
  for (const feature of FEATURES) log.write(project, feature);
  const snapshot = log.snapshot();
  if (await isConfirmed(client, project, '/ingest/reflections')) log.confirm(snapshot);
  await eventually(async () => okBody(await client.status(project)).embeddings.complete > 0, {
    withinMs: 20_000,
    everyMs: 2,
  });
}

/** Makes a source old enough to be pruned. A confirmed prune must leave nothing of it. */
async function pruneStale(client: Client, project: TempProject): Promise<void> {
  project.writeReflection(STALE, `## A\n\nwalrus ${Math.random()}\n\n## B\n\nwalrus`);
  if (!(await isConfirmed(client, project, '/ingest/reflections'))) return;
  execute(
    project.database,
    `UPDATE chunks SET created_at = '2020-01-01T00:00:00.000Z' WHERE source_file LIKE '%/${STALE}/%'`,
  );
  if (!(await isConfirmed(client, project, '/x/prune'))) return;
  const left = chunksIn(project.database, `source_file LIKE '%/${STALE}/%'`);
  if (left.length > 0) throw new Error('A confirmed prune left stale chunks.');
}

async function countedSearches(
  client: Client,
  project: TempProject,
  searches: { confirmed: number },
): Promise<void> {
  while (client.service.process.isRunning()) {
    const body = { projectPath: project.path, query: 'tapir' };
    const answer = await client.service.post(`${API}/search`, body).catch(() => undefined);
    if (answer?.status === 200 && answer.body.results.length === 1) searches.confirmed += 1;
    await pause(5);
  }
}

function lostCounts(project: TempProject, confirmed: number): readonly string[] {
  const [counted] = chunksIn(project.database, "source_file LIKE '%/counted/%'");
  const count = counted?.retrieval_count ?? 0;
  return count < confirmed ? [`I5 ${confirmed} retrievals were confirmed, ${count} counted`] : [];
}

async function isConfirmed(client: Client, project: TempProject, route: string): Promise<boolean> {
  const answer = await client.post(route, project).catch(() => undefined);
  if (answer !== undefined && answer.status !== 200) {
    throw new Error(`${route}: HTTP ${answer.status}: ${answer.text}`);
  }
  return answer !== undefined;
}

/** The same kills and checks on a writer that commits row by row. */
export async function killedCarelessWriter({ random }: FaultOptions): Promise<readonly string[]> {
  const project = await emptyStore();
  const script = fileURLToPath(new URL('careless-writer.ts', import.meta.url));
  const found: string[] = [];
  for (let round = 0; round < 5 && found.length === 0; round += 1) {
    const log = new AcknowledgementLog();
    const writer = spawn(process.execPath, ['--import', 'tsx', script, project.database, '12']);
    let generation = 0;
    writer.stdout.on('data', (lines: Buffer) => {
      generation = Number(lines.toString().trim().split('\n').at(-1));
    });
    await once(writer.stdout, 'data');
    await pause(20 + random.below(60));
    const exited = once(writer, 'exit');
    writer.kill('SIGKILL');
    await exited;
    for (let turn = 0; turn < generation; turn += 1)
      for (const feature of FEATURES) log.write(project, feature);
    log.confirm(log.snapshot());
    const { lost, wrong } = log.compare(project);
    found.push(...lost, ...wrong);
  }
  project.remove();
  return found;
}
