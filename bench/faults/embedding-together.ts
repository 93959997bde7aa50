import { Database } from '../../src/adapters/sqlite/database/driver.js';
import { eventually } from '../../test/support/running-service.js';
import { okBody, startClient } from '../../test/support/running-service-calls.js';
import type { TempProject } from '../../test/support/temp-project.js';
import { problemsIn } from '../../test/support/verify.js';
import type { FaultFamily } from './family.js';
import { SECTIONS } from './generations.js';
import { emptyStore, featureProject } from './projects.js';
import { tinyModelEnvironment } from './tiny-model-environment.js';

const FEATURES = 12;

/** F5: several services embed one project that changes; then one goes on with another model (F6). */
export const embeddingTogether: FaultFamily = {
  name: 'F5',
  title: 'embedding together, and a change of the model (F6)',
  defaultRounds: 3,
  async run({ rounds, processes }) {
    const environment = await tinyModelEnvironment();
    const wrong: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const project = featureProject(FEATURES);
      const clients = await Promise.all(
        Array.from({ length: processes }, () => startClient('hybrid', environment)),
      );
      for (const client of clients) okBody(await client.rebuild(project));
      for (const client of clients) {
        await eventually(
          async () => okBody(await client.status(project)).embeddings.pending === 0,
          {
            withinMs: 120_000,
          },
        );
        if (/UNIQUE|"level":50/.test(client.service.stderr())) wrong.push(client.service.stderr());
      }
      await Promise.all(clients.map((client) => client.service.stop()));
      wrong.push(
        ...mismatches(project),
        ...problemsIn(project.database, { project: project.path }),
      );
      relabel(project);
      const [other] = [await startClient('hybrid', environment)];
      await other.open(project);
      await eventually(async () => okBody(await other.status(project)).embeddings.pending === 0, {
        withinMs: 120_000,
      });
      await other.service.stop();
      wrong.push(
        ...mismatches(project),
        ...problemsIn(project.database, { project: project.path }),
      );
      project.remove();
    }
    return { rounds, acknowledged: rounds, lost: 0, wrong, notes: [`${processes} processes`] };
  },
  /** A careless embedder stores vectors of chunks that do not exist. */
  async negativeControl() {
    const project = await emptyStore();
    const db = new Database(project.database);
    db.pragma('foreign_keys = OFF');
    db.exec("INSERT INTO embeddings VALUES ('gone#0', x'00', 'some/model', '2026')");
    db.close();
    const seen = mismatches(project);
    project.remove();
    return seen;
  },
};

/** Every chunk has exactly one vector, and every vector a chunk. */
function mismatches({ database }: TempProject): readonly string[] {
  const db = new Database(database, { readonly: true });
  const count = (sql: string) => Number(db.prepare(sql).pluck().get());
  const [chunks, vectors, models, orphans] = [
    count('SELECT count(*) FROM chunks'),
    count('SELECT count(*) FROM embeddings'),
    count('SELECT count(DISTINCT model) FROM embeddings'),
    count('SELECT count(*) FROM embeddings WHERE chunk_id NOT IN (SELECT id FROM chunks)'),
  ];
  db.close();
  const isWhole = chunks === FEATURES * SECTIONS && vectors === chunks && models === 1;
  return isWhole && orphans === 0
    ? []
    : [`${chunks} chunks, ${vectors} vectors of ${models} models, ${orphans} of no chunk`];
}

/** All vectors belong to another model now: they must be made again, one for each chunk. */
function relabel({ database }: TempProject): void {
  const db = new Database(database);
  db.prepare("UPDATE embeddings SET model = 'another/model'").run();
  db.close();
}
