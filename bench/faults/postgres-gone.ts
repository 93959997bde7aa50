import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '../../test/support/postgres-server.js';
import { SERVER_BIN } from '../../test/support/postgres-under-test.js';
import { eventually } from '../../test/support/running-service.js';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { percentile } from '../quality/statistics.js';
import type { FaultFamily, FaultOptions, FaultOutcome } from './family.js';

/** Limit for any response while the server is gone. */
const SLOW_MS = 2000;
const BACK = { withinMs: 15_000, everyMs: 50 };

/**
 * P4: the PostgreSQL server is gone for `--seconds`. Checks the responses, their latency, and whether work continues
 * afterwards.
 */
export const postgresGone: FaultFamily = {
  name: 'P4',
  title: 'PostgreSQL is gone for a while',
  defaultRounds: 1,
  run: (options) => goneRun(options, 'gone'),
  /** The server stays up, so the harness must notice that no request is refused. */
  async negativeControl(options) {
    return (await goneRun({ ...options, seconds: 2 }, 'there')).wrong;
  },
};

async function goneRun(
  { rounds, seconds }: FaultOptions,
  server: 'gone' | 'there',
): Promise<FaultOutcome> {
  const postgres = await PostgresServer.create(SERVER_BIN, 'kept');
  const client = await startClient('hybrid', { KNOWLEDGE_STORE: postgres.url });
  const project = new TempProject({ 'notes.md': 'A tapir swims.' });
  const [wrong, notes]: [string[], string[]] = [[], []];
  let notesSaved = 0;
  try {
    okBody(await client.rebuild(project));
    for (let round = 0; round < rounds; round += 1) {
      await saveNote(client, project, round);
      notesSaved += 1;
      if (server === 'gone') await postgres.stop('fast');
      const away = await answersFor(client, project, seconds);
      if (server === 'gone') await postgres.start();
      const begin = performance.now();
      await eventually(async () => (await client.search(project, 'tapir')).status === 200, BACK);
      const backMs = Math.round(performance.now() - begin);
      wrong.push(...away.wrong);
      notes.push(
        `${away.note}; the first search was answered ${backMs} ms after the server was back`,
      );
    }
    await saveNote(client, project, rounds);
    const found = await client.ids(project, 'tapir', { maxResults: 50 });
    const lost = notesSaved + 2 - found.length;
    return { rounds, acknowledged: notesSaved + 1, lost, wrong, notes };
  } finally {
    await client.service.stop();
    project.remove();
    await postgres.remove();
  }
}

async function saveNote(client: Client, project: TempProject, i: number): Promise<void> {
  const note = { title: `Note ${i}`, content: `The tapir number ${i} eats leaves.` };
  const { status, text } = await client.post('/x/notes', project, note);
  if (status !== 201) throw new Error(`HTTP ${status}: ${text}`);
}

/** Searches, writes, and requests /ready and /health in turn. All but /health must be refused, and quickly. */
async function answersFor(client: Client, project: TempProject, seconds: number) {
  const wrong: string[] = [];
  const times: number[] = [];
  const requests = {
    search: [503, () => client.search(project, 'tapir')],
    stats: [503, () => client.stats(project)],
    note: [503, () => client.post('/x/notes', project, { title: 'lost', content: 'A stoat.' })],
    ready: [503, () => client.service.get('/ready')],
    health: [200, () => client.service.get('/health')],
  } as const;
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    for (const [name, [expected, request]] of Object.entries(requests)) {
      const begin = performance.now();
      const { status } = await request();
      const ms = performance.now() - begin;
      times.push(ms);
      if (status !== expected) wrong.push(`${name} was answered with ${status}.`);
      if (ms > SLOW_MS) wrong.push(`${name} was answered after ${Math.round(ms)} ms.`);
    }
    await sleep(100);
  }
  const at = (share: number) => Math.round(percentile(times, share));
  const note = `${times.length} answers in ${seconds} s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
  return { wrong: [...new Set(wrong)], note };
}
