import { execFileSync } from 'node:child_process';
import { openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import { processesOf } from '../../test/support/processes.js';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import { AcknowledgementLog } from './generations.js';
import { emptyStore } from './projects.js';

/** F7: the size of files is limited while sources are ingested, which needs no privileges. F1b fills a disk. */
export const limitedFiles: FaultFamily = {
  name: 'F7',
  title: 'a limit on the size of files',
  defaultRounds: 4,
  async run({ rounds, random }) {
    const wrong: string[] = [];
    const lost: string[] = [];
    let acknowledged = 0;
    for (let round = 0; round < rounds; round += 1) {
      const seen = await ingestedWithLimit(200 * 1024 + random.below(800 * 1024));
      acknowledged += seen.acknowledged;
      lost.push(...seen.lost);
      wrong.push(...seen.wrong.map((sentence) => `round ${round}: ${sentence}`));
    }
    return { rounds, acknowledged, lost: lost.length, wrong: [...lost, ...wrong], notes: [] };
  },
  negativeControl: rowsWithoutTransaction,
};

/** Sets a limit like `ulimit -f`, and lifts it again, while the service runs. */
async function ingestedWithLimit(bytes: number) {
  const client = await startClient('hybrid');
  const [project, log] = [new TempProject(), new AcknowledgementLog()];
  const wrong: string[] = [];
  let isRefused = false;
  log.write(project, 'f');
  const first = log.snapshot();
  okBody(await client.rebuild(project));
  log.confirm(first);
  limitFileSize(client, String(bytes));
  for (let turn = 0; turn < 400 && !isRefused; turn += 1) {
    log.write(project, `f${turn}`);
    const snapshot = log.snapshot();
    const answer = await client.post('/ingest/reflections', project);
    if (answer.status === 200) log.confirm(snapshot);
    else if (answer.status === 507) isRefused = true;
    else wrong.push(`HTTP ${answer.status}: ${answer.text}`);
    if (wrong.length > 0) break;
  }
  if (!isRefused) wrong.push('the limit was never reached');
  const found = await client.search(project, 'apple');
  if (found.status !== 200 || found.body.results.length === 0) {
    wrong.push(`a search without space is ${found.status}: ${found.text}`);
  }
  const { lost, wrong: broken } = log.compare(project);
  limitFileSize(client, 'unlimited');
  const again = await client.rebuild(project);
  if (again.status !== 200) wrong.push(`after the limit was lifted: ${again.text}`);
  await client.service.stop();
  wrong.push(...broken, ...problemsIn(project.database, { project: project.path }));
  project.remove();
  return { acknowledged: log.count, lost, wrong };
}

function limitFileSize({ service }: Client, bytes: string): void {
  for (const pid of processesOf(service.process.pid)) {
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
  }
}

/** Writes the rows of a source one by one to a database that must not grow, so that half a source remains. */
async function rowsWithoutTransaction(): Promise<readonly string[]> {
  const project = await emptyStore();
  const log = new AcknowledgementLog();
  const db = openDatabase(project.database);
  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + 4}`);
  log.write(project, 'f0');
  try {
    for (let index = 0; index < 4; index += 1) {
      db.prepare(
        `INSERT INTO chunks (id, source_type, source_file, project_path, chunk_index, content, created_at, updated_at)
         VALUES (?, 'reflection', '.knowledge/features/f0/reflection.md', '/', ?, ?, '2026', '2026')`,
      ).run(`f0#${index}`, index, `generation1 ${'word '.repeat(2000)}`);
    }
  } catch {
    // The database is full, and the rows written before remain.
  }
  db.close();
  const { wrong } = log.compare(project);
  project.remove();
  return wrong;
}
