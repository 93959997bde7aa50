import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Expression } from '../../../src/domain/query/expression.js';
import { anyInformativeWord } from '../../../src/domain/query/query.js';
import { found, ingest } from '../../contract/harness/steps.js';
import { document } from '../../support/chunks.js';
import { executeAs } from '../../support/execute-as.js';
import { PostgresServer } from '../../support/postgres-server.js';
import {
  hasServerPrograms,
  NEEDS_PROGRAMS,
  SERVER_BIN,
} from '../../support/postgres-under-test.js';
import { keywordIndexes } from './database.cases.js';
import { postgresHarness } from './project-stores-harness.js';

/** What pg_textsearch 0.6 has only in memory must not be missing from any answer. */
describe.skipIf(!hasServerPrograms)(`a server of its own ${NEEDS_PROGRAMS}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.create(SERVER_BIN, 'kept');
  });
  afterAll(() => server?.remove());

  it.each([
    ['fast', 'search'],
    ['immediate', 'search'],
    ['immediate', 'write'],
  ] as const)('finds everything after a stop, %s, before a %s', async (mode, next) => {
    const harness = await postgresHarness({
      url: server.url,
      connections: 2,
      thresholds: { keyword: 2, neighbours: 50_000 },
    });
    const subject = { harness, store: await harness.stores.open(harness.projectPath) };
    await ingest(subject, document('a', ['copper', 'copper']));
    await subject.store.keywords.rebuild();
    await ingest(subject, document('b', ['copper', 'copper']));
    const before = ['a#0', 'a#1', 'b#0', 'b#1'];
    expect(await found(subject, 'copper')).toEqual(before);
    const [former] = await keywordIndexes(server.url, harness.schema());
    await server.stop(mode);
    await server.start();
    if (next === 'search') expect(await found(subject, 'copper')).toEqual(before);
    await ingest(subject, document('c', ['copper']));
    expect(former).toMatch(/^chunks_bm25_/);
    expect(await keywordIndexes(server.url, harness.schema())).not.toContain(former);
    expect(await found(subject, 'copper')).toEqual([...before, 'c#0']);
    await subject.store.keywords.rebuild();
    expect(await found(subject, 'copper')).toEqual([...before, 'c#0']);
    await harness.dispose();
  });

  it('is used again after its database was emptied', async () => {
    const harness = await postgresHarness({ url: server.url, connections: 1 });
    const subject = { harness, store: await harness.stores.open(harness.projectPath) };
    await ingest(subject, document('a', ['copper']));
    await executeAs(
      server.url,
      `DROP SCHEMA knowledge_store CASCADE; DROP SCHEMA ${harness.schema()} CASCADE`,
    );
    await expect(found(subject, 'copper')).rejects.toMatchObject({ code: 'store_unavailable' });
    const again = { harness, store: await harness.stores.open(harness.projectPath) };
    expect(await found(again, 'copper')).toEqual([]);
    await ingest(again, document('a', ['copper']));
    expect(await found(again, 'copper')).toEqual(['a#0']);
    await harness.dispose();
  });

  /** Scores are read from the scan of the index, which the planner may not choose. */
  it('scores chunks by its BM25 index alike, whatever the plan is', async () => {
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
