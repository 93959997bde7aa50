import { copyFileSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily, FaultOptions } from './family.js';
import { AcknowledgementLog } from './generations.js';

/** F11: files next to the database are deleted, or the database itself is deleted or replaced. */
export const sidecars: FaultFamily = {
  name: 'F11',
  title: 'deleted or replaced files',
  defaultRounds: 12,
  async run({ rounds }) {
    const wrong: string[] = [];
    const notes: string[] = [];
    let lost = 0;
    let acknowledged = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { name, happen, keeps } = CASES[round % CASES.length] as Case;
      const project = new TempProject();
      const log = new AcknowledgementLog();
      const client = await ingested(project, log);
      const begin = performance.now();
      const next = await happen(project, client);
      const answer = await rebuilt(next, project);
      if (answer.status === 200) acknowledged += 1;
      else wrong.push(`${name}: HTTP ${answer.status}: ${answer.text}`);
      const compared = log.compare(project);
      lost += keeps ? compared.lost.length : 0;
      wrong.push(...[...compared.lost, ...compared.wrong].map((each) => `${name}: ${each}`));
      wrong.push(...problemsIn(project.database).map((each) => `${name}: ${each}`));
      notes.push(`${name}: ${Math.round(performance.now() - begin)} ms`);
      await next.service.stop();
      project.remove();
    }
    return { rounds, acknowledged, lost, wrong, notes };
  },
  /** What docs/storage.md warns of: without its log a killed store loses what was confirmed. */
  async negativeControl(_: FaultOptions) {
    const project = new TempProject();
    const log = new AcknowledgementLog();
    const client = await ingested(project, log);
    await client.service.process.kill();
    const before = log.compare(project);
    rmSync(`${project.database}-wal`, { force: true });
    rmSync(project.database);
    const next = await startClient('hybrid');
    await next.open(project);
    await next.service.stop();
    const after = log.compare(project);
    project.remove();
    return before.lost.length === 0 ? [...after.lost, ...after.wrong] : [];
  },
};

interface Case {
  readonly name: string;
  /** Returns the client of the service that goes on. */
  happen(project: TempProject, client: Client): Promise<Client>;
  /** Whether no file that matters was deleted. */
  readonly keeps: boolean;
}

const CASES: readonly Case[] = [
  { name: '-shm deleted after a kill', keeps: true, happen: afterKill(['-shm']) },
  { name: '-wal and -shm deleted after a kill', keeps: false, happen: afterKill(['-wal', '-shm']) },
  { name: 'all deleted after a kill', keeps: false, happen: afterKill(['', '-wal', '-shm']) },
  { name: 'all deleted while open', keeps: false, happen: whileOpen(['', '-wal', '-shm']) },
  { name: 'the database deleted while open', keeps: false, happen: whileOpen(['']) },
  {
    name: 'the database replaced while open',
    keeps: false,
    async happen(project, client) {
      const other = new TempProject({ 'other.md': 'another project' });
      const maker = await startClient('hybrid');
      okBody(await maker.rebuild(other));
      await maker.service.stop();
      rmSync(project.database);
      copyFileSync(other.database, project.database);
      other.remove();
      return client;
    },
  },
];

function afterKill(suffixes: readonly string[]): Case['happen'] {
  return async (project, client) => {
    await client.service.process.kill();
    for (const suffix of suffixes) rmSync(project.database + suffix, { force: true });
    return startClient('hybrid');
  };
}

function whileOpen(suffixes: readonly string[]): Case['happen'] {
  return async (project, client) => {
    for (const suffix of suffixes) rmSync(project.database + suffix, { force: true });
    return client;
  };
}

async function ingested(project: TempProject, log: AcknowledgementLog): Promise<Client> {
  const client = await startClient('hybrid');
  for (const feature of ['f0', 'f1', 'f2']) log.write(project, feature);
  okBody(await client.post('/ingest/reflections', project));
  log.confirm(log.snapshot());
  return client;
}

/** A rebuild restores everything; 503 is allowed for as long as the store is being replaced. */
async function rebuilt(client: Client, project: TempProject) {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await client.rebuild(project);
    if (answer.status !== 503 || attempt === 50) return answer;
    await pause(100);
  }
}
