import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { startModelEndpoint } from '../../test/support/model-endpoint.js';
import { processesOf } from '../../test/support/processes.js';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import { mountedDisk, rowsWithoutTransaction } from './full-disk.js';
import { AcknowledgementLog } from './generations.js';
import {
  CATEGORY,
  memoryProblems,
  summarizing,
  THRESHOLD,
  writeLongMemory,
} from './long-memory.js';

/** F7b: a limit on the size of files while sources are ingested, and a full disk while memory is compacted. */
export const fullDiskWays: FaultFamily = {
  name: 'F7b',
  title: 'full in other ways (file size limit, compaction)',
  defaultRounds: 4,
  async run({ rounds, random }) {
    const wrong: string[] = [];
    const lost: string[] = [];
    let [acknowledged, refused] = [0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const seen =
        round % 2 === 0
          ? await ingestedWithLimit(200 * 1024 + random.below(800 * 1024))
          : await compactedOnFullDisk();
      acknowledged += seen.acknowledged;
      refused += seen.refused;
      lost.push(...seen.lost);
      wrong.push(...seen.wrong.map((sentence) => `round ${round}: ${sentence}`));
    }
    const notes = [`507 in ${refused} of ${rounds} rounds`];
    return { rounds, acknowledged, lost: lost.length, wrong: [...lost, ...wrong], notes };
  },
  negativeControl: rowsWithoutTransaction,
};

/** As `ulimit -f` does it, set and lifted while the service runs. */
async function ingestedWithLimit(bytes: number) {
  const client = await startClient('hybrid');
  const [project, log] = [new TempProject(), new AcknowledgementLog()];
  const wrong: string[] = [];
  let refused = 0;
  log.write(project, 'f');
  const first = log.snapshot();
  okBody(await client.rebuild(project));
  log.confirm(first);
  limitFileSize(client, String(bytes));
  for (let turn = 0; turn < 400 && refused === 0; turn += 1) {
    log.write(project, `f${turn}`);
    const snapshot = log.snapshot();
    const answer = await client.post('/ingest/reflections', project);
    if (answer.status === 200) log.confirm(snapshot);
    else if (answer.status === 507) refused += 1;
    else wrong.push(`HTTP ${answer.status}: ${answer.text}`);
    if (wrong.length > 0) break;
  }
  if (refused === 0) wrong.push('the limit was never reached');
  wrong.push(...(await unsearchable(client, project)));
  const { lost, wrong: broken } = log.compare(project);
  limitFileSize(client, 'unlimited');
  const again = await client.rebuild(project);
  if (again.status !== 200) wrong.push(`after the limit was lifted: ${again.text}`);
  await client.service.stop();
  wrong.push(...broken, ...problemsIn(project.database, { project: project.path }));
  project.remove();
  return { acknowledged: log.count, refused, lost, wrong };
}

async function compactedOnFullDisk() {
  const endpoint = await startModelEndpoint(summarizing);
  const client = await startClient('hybrid', {
    OPENAI_BASE_URL: endpoint.baseUrl,
    OPENAI_MODEL: 'scripted',
  });
  const disk = mountedDisk(1024);
  const project = new TempProject({}, '.knowledge', disk);
  writeLongMemory(project);
  const wrong: string[] = [];
  let refused = 0;
  try {
    okBody(await client.rebuild(project));
    fill(`${disk}/ballast`);
    const compact = () =>
      client.post('/x/compact', project, { category: CATEGORY, threshold: THRESHOLD });
    const answer = await compact();
    if (answer.status === 507) refused += 1;
    else wrong.push(`a compaction is ${answer.status}: ${answer.text}`);
    wrong.push(...memoryProblems(project, false));
    wrong.push(...(await unsearchable(client, project)));
    execFileSync('rm', [`${disk}/ballast`]);
    if (okBody(await compact()).compacted !== true) wrong.push('it is not compacted afterwards');
    wrong.push(...problemsIn(project.database, { project: project.path }));
  } finally {
    await client.service.stop();
    await endpoint.close();
    execFileSync('umount', ['-l', disk]);
  }
  return { acknowledged: 1, refused, lost: [], wrong };
}

async function unsearchable(client: Client, project: TempProject): Promise<readonly string[]> {
  const found = await client.search(project, 'apple');
  return found.status === 200 && found.body.results.length > 0
    ? []
    : [`a search without space is ${found.status}: ${found.text}`];
}

function limitFileSize({ service }: Client, bytes: string): void {
  for (const pid of processesOf(service.process.pid)) {
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
  }
}

function fill(path: string): void {
  for (const size of [4096, 1]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // It is full.
    }
  }
}
