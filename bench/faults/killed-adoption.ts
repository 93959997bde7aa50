import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { scalarOf } from '../../test/support/database-inspection.js';
import { eventually } from '../../test/support/running-service.js';
import { type Client, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import { DATABASE, writeForeignDatabase } from '../quality/foreign-database.js';
import { someVector } from '../speed/planted-vectors.js';
import type { FaultFamily } from './family.js';

/** F10: SIGKILL while a database of another program is adopted. */
export const killedAdoption: FaultFamily = {
  name: 'F10',
  title: 'kill -9 during adoption',
  defaultRounds: 20,
  async run({ rounds, random, size = 20_000 }) {
    const foreign = foreignDatabase(size);
    const usualMs = await adoptionMs(foreign);
    const wrong: string[] = [];
    let lost = 0;
    let unfinished = 0;
    for (let round = 0; round < rounds; round += 1) {
      const project = new TempProject({ [DATABASE]: foreign });
      const client = await startClient('hybrid');
      const answer = client.search(project, 'okapi').catch(() => undefined);
      await eventually(() => isBegun(project), { everyMs: 1 });
      await pause(random.below(usualMs));
      // The adopting process goes on until it notices; in every other round, it is killed too.
      if (round % 2 === 0) client.service.process.signalGroup('SIGKILL');
      else await client.service.process.kill();
      await Promise.all([answer, client.service.process.exited]);
      if (isBegun(project)) unfinished += 1;
      const missing = missingIn(project, size);
      lost += missing.length;
      const afterwards = await startClient('hybrid');
      const problems = [...missing, ...(await problemsAfterwards(afterwards, project, size))];
      await afterwards.service.stop();
      wrong.push(...problems.map((problem) => `round ${round}: ${problem}`));
      project.remove();
    }
    const notes = [
      `${unfinished} of ${rounds} were killed before the end of an adoption, which takes ${Math.round(usualMs)} ms`,
    ];
    return { rounds, acknowledged: rounds - unfinished, lost, wrong, notes };
  },
  async negativeControl() {
    const size = 2_000;
    const bytes = foreignDatabase(size);
    const project = new TempProject({ [DATABASE]: bytes.subarray(0, bytes.length / 2) });
    const missing = missingIn(project, size);
    project.remove();
    return missing;
  },
};

function foreignDatabase(size: number): Buffer {
  const project = new TempProject();
  mkdirSync(dirname(project.database), { recursive: true });
  const documents = Array.from({ length: size }, (_, number) => ({
    id: `doc-${number}`,
    title: `Chapter ${number}`,
    text: `The okapi number ${number} eats leaves, buds and grass. `.repeat(10),
    path: `doc-${number % 100}.md`,
    vector: someVector(),
  }));
  writeForeignDatabase(project.path, { documents, model: 'other/model' });
  const bytes = readFileSync(project.database);
  project.remove();
  return bytes;
}

/** How long the adoption takes undisturbed, starting with its first file. */
async function adoptionMs(foreign: Buffer): Promise<number> {
  const project = new TempProject({ [DATABASE]: foreign });
  const client = await startClient('hybrid');
  const answer = client.search(project, 'okapi');
  await eventually(() => isBegun(project), { everyMs: 1 });
  const begin = performance.now();
  await answer;
  const ms = performance.now() - begin;
  await client.service.stop();
  project.remove();
  return ms;
}

function isBegun(project: TempProject): boolean {
  return readdirSync(dirname(project.database)).some((name) => UNFINISHED.test(name));
}

/** The journal of the lock, `knowledge.db.new`, does not count: the next process that locks removes it. */
const UNFINISHED = /^knowledge\.db\.new-(?!journal$)/;

/** Describes missing rows. Works with the schema of either program. */
function missingIn({ database }: TempProject, size: number): readonly string[] {
  if (!existsSync(database)) return ['there is no database'];
  try {
    return ['chunks', 'embeddings'].flatMap((table) => {
      const count = scalarOf(database, `SELECT count(*) FROM ${table}`);
      return count === size ? [] : [`${count} of ${size} rows of ${table} are left`];
    });
  } catch (error) {
    return [`the database cannot be read: ${String(error)}`];
  }
}

async function problemsAfterwards(
  client: Client,
  project: TempProject,
  size: number,
): Promise<readonly string[]> {
  const answer = await client.search(project, 'okapi', { maxResults: 3 });
  if (answer.status !== 200) return [`HTTP ${answer.status}: ${answer.text}`];
  return [
    ...(answer.body.results.length === 3 ? [] : ['the chunks are not found']),
    ...missingIn(project, size),
    ...problemsIn(project.database),
    ...(isBegun(project) ? ['an unfinished database is left'] : []),
  ];
}
