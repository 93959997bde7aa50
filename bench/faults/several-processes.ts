import { openDatabase } from '../../src/adapters/sqlite/database/driver.js';
import { type Client, okBody, startClient } from '../../test/support/running-service-calls.js';
import type { HttpAnswer } from '../../test/support/service-at-url.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily, FaultOptions } from './family.js';
import { AcknowledgementLog, generationText } from './generations.js';

const FEATURES_OF_EACH = 4;

/** F3: several services on one project, each with a client that edits, ingests and searches. */
export const severalProcesses: FaultFamily = {
  name: 'F3',
  title: 'several writing processes',
  defaultRounds: 1,
  async run({ seconds, processes, random }) {
    const project = new TempProject();
    const log = new AcknowledgementLog();
    const clients = await started(processes);
    const statuses = new Map<number, number>();
    const wrong: string[] = [];
    const until = performance.now() + seconds * 1000;
    const check = (answer: HttpAnswer) => {
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status !== 200 && !isWaiting(answer)) wrong.push(answer.text);
      return answer.status === 200;
    };
    await Promise.all(
      clients.map(async (client, index) => {
        const own = Array.from({ length: FEATURES_OF_EACH }, (_, n) => `p${index}f${n}`);
        while (performance.now() < until) {
          for (const feature of own) log.write(project, feature);
          const snapshot = log.snapshot(own);
          const route = random.pick(['/ingest/reflections', '/rebuild']);
          if (check(await client.post(route, project))) log.confirm(snapshot);
          check(await client.search(project, `apple generation${random.below(50)}`));
          check(await client.post('/x/prune', project));
          check(await client.stats(project));
        }
      }),
    );
    const compared = log.compare(project);
    for (const client of clients) {
      const stats = okBody(await client.stats(project));
      wrong.push(...problemsIn(project.database, { project: project.path, stats }));
    }
    await Promise.all(clients.map((client) => client.service.stop()));
    project.remove();
    return {
      rounds: [...statuses.values()].reduce((sum, count) => sum + count, 0),
      acknowledged: log.count,
      lost: compared.lost.length,
      wrong: [...compared.lost, ...compared.wrong, ...wrong],
      notes: [
        `${processes} processes, ${seconds} s; responses ${JSON.stringify([...statuses])}; "rounds" counts requests`,
      ],
    };
  },
  negativeControl: impatientWriter,
};

function started(processes: number): Promise<readonly Client[]> {
  return Promise.all(Array.from({ length: processes }, () => startClient('hybrid')));
}

/** Whether this is the one documented refusal: another process has held the lock for too long. */
function isWaiting({ status, body, headers }: HttpAnswer): boolean {
  return status === 503 && body?.code === 'store_unavailable' && headers.has('retry-after');
}

/** A writer that does not wait for locks, yet confirms its writes. */
async function impatientWriter(_: FaultOptions): Promise<readonly string[]> {
  const project = new TempProject();
  const log = new AcknowledgementLog();
  const [client] = await started(1);
  log.write(project, 'f0');
  if (client !== undefined) okBody(await client.post('/ingest/reflections', project));
  await client?.service.stop();
  const other = openDatabase(project.database);
  const impatient = openDatabase(project.database, { timeout: 0 });
  other.exec('BEGIN IMMEDIATE');
  log.write(project, 'f0');
  try {
    impatient.prepare('UPDATE chunks SET content = ?').run(generationText('f0', 2));
  } catch {
    // The writer ignores SQLITE_BUSY.
  }
  log.confirm(log.snapshot());
  other.exec('COMMIT');
  other.close();
  impatient.close();
  const { lost } = log.compare(project);
  project.remove();
  return lost;
}
