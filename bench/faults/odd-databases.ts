import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import type { HttpAnswer } from '../../test/support/service-at-url.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import { HOSTILE_STATEMENTS, plant } from '../fuzz/hostile/databases.js';
import { Site, TRIGGER_MARK } from '../fuzz/hostile/site.js';
import type { FaultFamily } from './family.js';
import type { Random } from './random.js';

/** How long the service may be busy with a hostile database. */
const SERVED_WITHIN_MS = 90_000;
const PAGE = 4096;

/**
 * F9: databases of other programs, older, damaged and hostile ones. They must be adopted or set aside, and nothing in
 * them may run.
 */
export const oddDatabases: FaultFamily = {
  name: 'F9',
  title: 'odd databases',
  defaultRounds: 60,
  async run({ rounds, random }) {
    const site = await Site.make();
    const client = await startClient('hybrid');
    okBody(await client.rebuild(site.witness));
    const wrong: string[] = [];
    const unnoticed: string[] = [];
    let slowest = { ms: 0, what: '' };
    for (let round = 0; round < rounds; round += 1) {
      const project = new TempProject({ 'a.md': '## A\n\nthe okapi\n' });
      const what = makeOdd(project, site.databases, { round, random });
      const begin = performance.now();
      const answer = await served(client, project);
      const ms = performance.now() - begin;
      if (ms > slowest.ms) slowest = { ms, what };
      const problems = [
        ...(answer.status === 200 ? [] : [`HTTP ${answer.status}: ${answer.text}`]),
        ...(await problemsOf(client, project, site.witness)),
      ];
      wrong.push(...problems.map((problem) => `${what}: ${problem}`));
      // No quick check can see flipped bytes of a text, or of an index that nothing reads.
      const left = problemsIn(project.database, { project: project.path });
      if (left.length > 0) unnoticed.push(`${what}: ${left[0]}`);
      project.remove();
      if (!client.service.process.isRunning()) throw new Error(`${what}: the service has ended`);
    }
    await client.service.stop();
    site.remove();
    const notes = [
      `the slowest took ${Math.round(slowest.ms)} ms: ${slowest.what}`,
      `${unnoticed.length} keep damage that was not noticed: ${unnoticed.slice(0, 3).join('; ')}`,
    ];
    return { rounds, acknowledged: rounds - wrong.length, lost: 0, wrong, notes };
  },
  async negativeControl({ random }) {
    const site = await Site.make();
    const project = new TempProject();
    const what = makeOdd(project, site.databases, { round: 3, random });
    const problems = problemsIn(project.database).map((problem) => `${what}: ${problem}`);
    project.remove();
    site.remove();
    return problems;
  },
};

interface Turn {
  readonly round: number;
  readonly random: Random;
}

/** Makes every second database a damaged one, and the others such as another program might make. */
function makeOdd(
  project: TempProject,
  databases: readonly Buffer[],
  { round, random }: Turn,
): string {
  const bytes = Buffer.from(databases[round % 4 < 2 ? 0 : 1] ?? random.pick(databases));
  const damage = DAMAGES[(round >> 1) % DAMAGES.length];
  if (round % 2 === 1 && damage !== undefined) {
    project.write('.knowledge/knowledge.db', damage.of(bytes, random));
    return damage.name;
  }
  project.write('.knowledge/knowledge.db', bytes);
  const statement = HOSTILE_STATEMENTS[(round * 7) % HOSTILE_STATEMENTS.length] ?? '';
  plant(project.database, [statement]);
  return statement.slice(0, 120);
}

const DAMAGES: readonly {
  readonly name: string;
  readonly of: (bytes: Buffer, random: Random) => Buffer;
}[] = [
  { name: 'cut', of: (bytes, random) => bytes.subarray(0, random.below(bytes.length)) },
  {
    name: 'a page of noise',
    of: (bytes, random) => {
      random.bytes(PAGE).copy(bytes, PAGE * random.below(bytes.length / PAGE));
      return bytes;
    },
  },
  {
    name: 'flipped bytes',
    of: (bytes, random) => {
      for (let i = 0; i < 20; i += 1) bytes[random.below(bytes.length)] = random.below(256);
      return bytes;
    },
  },
  { name: 'no database', of: () => Buffer.from('This is a text.\n'.repeat(1000)) },
  { name: 'empty', of: () => Buffer.alloc(0) },
];

/** Rebuilds, and retries while the store is being adopted, replaced or refilled. */
async function served(client: Client, project: TempProject): Promise<HttpAnswer> {
  const deadline = performance.now() + SERVED_WITHIN_MS;
  for (;;) {
    const answer = await client.rebuild(project);
    if (answer.status !== 503 || performance.now() > deadline) return answer;
    await pause(200);
  }
}

async function problemsOf(
  client: Client,
  project: TempProject,
  witness: TempProject,
): Promise<readonly string[]> {
  // The doctor finds damage that nothing has read yet.
  if (problemsIn(project.database).length > 0) {
    await client.post('/x/doctor', project, { repair: true });
    await served(client, project);
  }
  const found = await client.ids(project, 'okapi');
  const other = await client.ids(witness, 'walrus');
  return [
    ...(found.includes('a.md#0') ? [] : [`its file is not found: ${found.join()}`]),
    ...(other.length > 0 ? [] : ['another project finds nothing']),
    ...(hasRun(project) ? ['hostile SQL ran'] : []),
  ];
}

function hasRun({ database, path }: TempProject): boolean {
  const folder = `${path}/.knowledge`;
  return readdirSync(folder)
    .map((name) => `${folder}/${name}`)
    .filter((file) => file.startsWith(database) && statSync(file).isFile())
    .some((file) => readFileSync(file).includes(TRIGGER_MARK));
}
