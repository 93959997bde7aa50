import { Database } from '../../src/adapters/sqlite/database/driver.js';
import { eventually } from '../../test/support/running-service.js';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { percentile } from '../quality/statistics.js';
import type { FaultFamily } from './family.js';

/** Of 99 searches in 100; a slower one may occur by chance on a busy machine. */
const SLOWEST_MS = 300;

/** F25: another process holds the lock of one project; its searches and those of another project go on. */
export const heldLock: FaultFamily = {
  name: 'F25',
  title: 'a lock that is held',
  defaultRounds: 1,
  async run({ seconds }) {
    const [locked, free] = [newProject(), newProject()];
    const client = await startClient('hybrid', { KNOWLEDGE_WORKERS: '2' });
    try {
      for (const project of [locked, free]) okBody(await client.rebuild(project));
      const warm = await searched(client, [locked, free], 2);
      const before = await searched(client, [locked, free], Math.min(10, seconds));
      const other = new Database(locked.database);
      other.exec('BEGIN IMMEDIATE');
      const during = await searched(client, [locked, free], seconds);
      other.exec('COMMIT');
      other.close();
      const expected = warm.searches + before.searches + during.searches;
      const unlocked = performance.now();
      const isComplete = await eventually(() => countsOf(locked) === expected).catch(() => false);
      const wrong = [
        ...during.wrong,
        ...(during.p99(locked) > SLOWEST_MS ? ['searches of the locked project waited'] : []),
        ...(isComplete ? [] : [`${countsOf(locked)} retrievals are counted, not ${expected}`]),
      ];
      const notes = [
        ...[locked, free].map(
          (project) =>
            `p99 of the ${project === locked ? 'locked' : 'other'} project: ${before.p99(project).toFixed(0)} ms before, ${during.p99(project).toFixed(0)} ms in ${seconds} s of the lock`,
        ),
        `all ${during.searches} retrievals counted ${(performance.now() - unlocked).toFixed(0)} ms after it`,
      ];
      return { rounds: 1, acknowledged: during.searches, lost: 0, wrong, notes };
    } finally {
      await client.service.stop();
      for (const project of [locked, free]) project.remove();
    }
  },
  /** A service that counts before it answers. */
  async negativeControl() {
    const project = newProject();
    project.write('.knowledge/x', '');
    const other = new Database(project.database);
    other.exec('CREATE TABLE t (a); BEGIN IMMEDIATE');
    const careless = new Database(project.database, { timeout: 2 * SLOWEST_MS });
    const begin = performance.now();
    const found: string[] = [];
    try {
      careless.exec('INSERT INTO t VALUES (1)');
    } catch {
      const took = performance.now() - begin;
      if (took >= SLOWEST_MS) found.push(`waited ${took.toFixed(0)} ms`);
    }
    for (const db of [careless, other]) db.close();
    project.remove();
    return found;
  },
};

function newProject(): TempProject {
  const files = Array.from({ length: 300 }, (_, i) => [`docs/${i}.md`, `## ${i}\n\na tapir ${i}`]);
  return new TempProject(Object.fromEntries(files));
}

function countsOf(project: TempProject): number {
  const db = new Database(project.database, { readonly: true });
  const sum = db.prepare('SELECT sum(retrieval_count) FROM chunks').pluck().get() as number;
  db.close();
  return sum;
}

/** Searches each project, one after the other and with one result each, for some seconds. */
async function searched(client: Client, projects: readonly TempProject[], seconds: number) {
  const times = new Map(projects.map((project) => [project, [] as number[]]));
  const wrong: string[] = [];
  const until = performance.now() + seconds * 1000;
  const [first] = projects;
  await Promise.all(
    projects.map(async (project) => {
      while (performance.now() < until) {
        const begin = performance.now();
        const { status } = await client.search(project, 'tapir', { maxResults: 1 });
        times.get(project)?.push(performance.now() - begin);
        if (status !== 200) wrong.push(`a search was answered by ${status}`);
      }
    }),
  );
  return {
    wrong,
    /** Of the first project. */
    searches: (first && times.get(first)?.length) ?? 0,
    p99: (project: TempProject) => percentile(times.get(project) ?? [], 0.99),
  };
}
