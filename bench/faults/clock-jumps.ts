import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { chunksIn, rowsOf } from '../../test/support/database-inspection.js';
import { eventually } from '../../test/support/running-service.js';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { tempDirectory } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import { featureProject } from './projects.js';
import { tinyModelEnvironment } from './tiny-model-environment.js';

const [SECOND, HOUR, DAY] = [1_000, 3_600_000, 86_400_000];
/** Where Debian's package `faketime` puts it. */
const LIBRARY = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
  .map((machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path));

/** Whether processes can be given another clock here. */
export const canFakeTime = LIBRARY !== undefined;

/** When chunks are created, and in which zone: before a leap day, before summer time begins and ends. */
const BEGINNINGS = [
  { at: '2027-12-15T12:00:00Z', zone: 'UTC' },
  { at: '2028-02-29T23:59:59Z', zone: 'UTC' },
  { at: '2027-01-10T00:30:00Z', zone: 'Europe/Berlin' },
  { at: '2027-09-01T01:30:00Z', zone: 'America/New_York' },
] as const;

/** F17: the clock of the whole process, changed between its runs and while it runs. Needs libfaketime. */
export const clockJumps: FaultFamily = {
  name: 'F17',
  title: 'clock changes (libfaketime)',
  defaultRounds: BEGINNINGS.length,
  async run({ rounds }) {
    const wrong: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { at, zone } = BEGINNINGS[round % BEGINNINGS.length] ?? BEGINNINGS[0];
      const found = await prunedTooEarlyOrLate(at, zone);
      wrong.push(...found.map((sentence) => `${at}, ${zone}: ${sentence}`));
    }
    wrong.push(...(await jumpedWhileRunning()));
    return { rounds, acknowledged: rounds, lost: 0, wrong, notes: [] };
  },
  /** A clock that is an hour late is seen. */
  negativeControl: () => prunedTooEarlyOrLate(BEGINNINGS[0].at, 'UTC', HOUR),
};

/** A chunk is kept for 90 days of 24 hours, in every zone, and for ever if the clock goes back. */
async function prunedTooEarlyOrLate(at: string, zone: string, lateMs = 0) {
  const project = featureProject(3);
  const wrong: string[] = [];
  const prunedAt = (time: number) =>
    withClockAt(
      time,
      zone,
      async (client) => okBody(await client.post('/x/prune', project)).deleted,
    );
  await withClockAt(Date.parse(at), zone, async (client) => okBody(await client.rebuild(project)));
  const created = rowsOf<{ at: string }>(
    project.database,
    'SELECT min(created_at) AS at FROM chunks',
  )[0]?.at;
  const begin = Date.parse(created ?? '');
  if (Math.abs(begin - Date.parse(at)) > 120 * SECOND) wrong.push(`chunks were created ${created}`);
  const all = chunksIn(project.database).length;
  const kept: Readonly<Record<string, number>> = {
    'after -400 days': begin - 400 * DAY,
    'after 89 days 23 hours': begin + 89 * DAY + 23 * HOUR + lateMs,
  };
  for (const [when, time] of Object.entries(kept)) {
    const deleted = await prunedAt(time);
    if (deleted !== 0) wrong.push(`${when} ${deleted} of ${all} chunks were pruned`);
  }
  if (wrong.length === 0) {
    const deleted = await prunedAt(begin + 90 * DAY + SECOND);
    if (deleted !== all) wrong.push(`after 90 days ${deleted} of ${all} chunks were pruned`);
  }
  wrong.push(...problemsIn(project.database, { project: project.path }));
  project.remove();
  return wrong;
}

/** The clock jumps forward and back while a service works; searches and vectors go on. */
async function jumpedWhileRunning(): Promise<readonly string[]> {
  const project = featureProject(3);
  const wrong: string[] = [];
  const file = `${tempDirectory('knowledge-clock-')}/offset`;
  writeFileSync(file, '+0');
  const client = await startClient('hybrid', {
    ...(await tinyModelEnvironment()),
    ...fakeClock,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
  });
  okBody(await client.rebuild(project));
  for (const [turn, offset] of ['+400d', '-400d', '+1d', '+0'].entries()) {
    writeFileSync(file, offset);
    project.writeReflection(`jump${turn}`, `## Jump\n\napple jump${turn}\n`);
    const indexed = okBody(await client.post('/ingest/reflections', project)).indexed;
    if (indexed !== 3 + turn + 1) wrong.push(`${offset}: ${indexed} sources are indexed`);
    const { results } = okBody(await client.search(project, `jump${turn}`));
    if (results.length !== 1) wrong.push(`${offset}: ${results.length} results`);
    const isEmbedded = async () => okBody(await client.status(project)).embeddings.pending === 0;
    await eventually(isEmbedded, { withinMs: 30_000 }).catch(() =>
      wrong.push(`${offset}: vectors are pending for 30 s`),
    );
    await pause(100);
  }
  await client.service.stop();
  wrong.push(...problemsIn(project.database, { project: project.path }));
  project.remove();
  return wrong.map((sentence) => `while running, ${sentence}`);
}

async function withClockAt<T>(
  time: number,
  zone: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const seconds = Math.round((time - Date.now()) / SECOND);
  const client = await startClient('hybrid', {
    ...fakeClock,
    TZ: zone,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}`,
  });
  try {
    return await work(client);
  } finally {
    await client.service.stop();
  }
}

/** Timers go on as they are; only the date is another. */
const fakeClock = { LD_PRELOAD: LIBRARY ?? '', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
