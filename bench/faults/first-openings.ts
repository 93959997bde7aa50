import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CHECKOUT } from '../../test/support/running-service.js';
import { errorOf, okBody, startClient } from '../../test/support/running-service-calls.js';
import { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily, FaultOptions } from './family.js';
import { AcknowledgementLog } from './generations.js';

/** F4: several services open a project that has no database yet, at the same moment. */
export const firstOpenings: FaultFamily = {
  name: 'F4',
  title: 'concurrent first openings',
  defaultRounds: 10,
  async run({ rounds, processes }) {
    const clients = await Promise.all(
      Array.from({ length: processes }, () => startClient('hybrid')),
    );
    const wrong: string[] = [];
    let lost = 0;
    let acknowledged = 0;
    for (let round = 0; round < rounds; round += 1) {
      const project = new TempProject();
      const log = new AcknowledgementLog();
      for (const feature of ['f0', 'f1', 'f2']) log.write(project, feature);
      const answers = await Promise.all(
        clients.flatMap((client) => [
          client.search(project, 'apple'),
          client.stats(project),
          client.post('/ingest/reflections', project),
        ]),
      );
      const refused = answers.filter(({ status }) => status !== 200);
      wrong.push(...refused.map((answer) => JSON.stringify(errorOf(answer))));
      acknowledged += answers.length - refused.length;
      log.confirm(log.snapshot());
      const compared = log.compare(project);
      lost += compared.lost.length;
      wrong.push(...compared.lost, ...compared.wrong);
      for (const client of clients) {
        const stats = okBody(await client.stats(project));
        wrong.push(...problemsIn(project.database, { project: project.path, stats }));
      }
      project.remove();
    }
    await Promise.all(clients.map((client) => client.service.stop()));
    const notes = [`${processes} processes, 3 requests of each in every round`];
    return { rounds, acknowledged, lost, wrong, notes };
  },
  negativeControl: unguardedOpenings,
};

/** Processes that create their schema without a guard: all but the first fail. */
async function unguardedOpenings({ processes }: FaultOptions): Promise<readonly string[]> {
  const project = new TempProject({ '.knowledge/.keep': '' });
  const script = `
    import { Database } from '${join(CHECKOUT, 'dist/adapters/sqlite/database/driver.js')}';
    const db = new Database(process.argv[1]);
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE chunks (id TEXT PRIMARY KEY)');`;
  const errors = await Promise.all(
    Array.from({ length: Math.max(2, processes) }, () => {
      const child = spawn(process.execPath, [
        '--input-type=module',
        '-e',
        script,
        project.database,
      ]);
      return text(child.stderr);
    }),
  );
  project.remove();
  return errors.flatMap((error) => /(?:SqliteError: .*)/.exec(error) ?? []);
}
