import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Expression } from '../../../src/domain/query/expression.js';
import { anyInformativeWord } from '../../../src/domain/query/query.js';
import { document } from '../../../src/testing/harness/chunks.js';
import { ingest } from '../../../src/testing/harness/steps.js';
import { executeAs } from '../../support/execute-as.js';
import { PostgresServer } from '../../support/postgres-server.js';
import {
  hasServerPrograms,
  NEEDS_PROGRAMS,
  SERVER_BIN,
} from '../../support/postgres-under-test.js';
import { postgresHarness } from './project-stores-harness.js';

/** Scores are read from the scan of the BM25 index, which the planner of the server may not choose. */
describe.skipIf(!hasServerPrograms)(`the scores of the BM25 index ${NEEDS_PROGRAMS}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.create(SERVER_BIN, 'lost');
  });
  afterAll(() => server?.remove());

  it('are those of the chunks, whatever the plan is', async () => {
    const thresholds = { keyword: 2, neighbours: 50_000 };
    const options = { url: server.url, connections: 1, thresholds } as const;
    const harness = await postgresHarness(options);
    const subject = { harness, store: await harness.stores.open(harness.projectPath) };
    const texts = Array.from({ length: 200 }, (_, i) => `copper ${'walnut '.repeat(i % 40)}`);
    await ingest(subject, document('a', texts));
    const { keywords } = subject.store;
    await keywords.rebuild();
    harness.clock.advance(60_000);
    const scores = async () => {
      const hits = await keywords.search(expression, { sourceTypes: 'all' }, 20);
      const ids = hits.map(({ chunk }) => chunk.id);
      const computed = await keywords.score(expression, ids);
      for (const { chunk, bm25 = 0 } of hits)
        expect(bm25 / (computed.get(chunk.id) ?? 0)).toBeCloseTo(1, 5);
      return hits.map(({ bm25 = 0 }) => bm25);
    };
    const [scanned, sorted, sortedInWorkers] = [
      await scores(),
      await configure(server, ['enable_indexscan = off']).then(scores),
      await configure(server, PARALLEL).then(scores),
    ];
    expect(new Set(scanned).size).toBeGreaterThan(1);
    for (const list of [sorted, sortedInWorkers])
      for (const [i, score] of list.entries()) expect(score).toBeCloseTo(scanned[i] ?? 0, 5);
    await harness.dispose();
  });
});

const PARALLEL = [
  'parallel_setup_cost = 0',
  'parallel_tuple_cost = 0',
  'min_parallel_table_scan_size = 0',
];

/** For statements that begin later, also of sessions that exist. */
async function configure({ url }: PostgresServer, settings: readonly string[]): Promise<void> {
  for (const setting of settings) await executeAs(url, `ALTER SYSTEM SET ${setting}`);
  await executeAs(url, 'SELECT pg_reload_conf()');
}

const expression = anyInformativeWord(['copper', 'walnut']) as Expression;
