import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { document } from '../../../src/testing/harness/chunks.js';
import { found, ingest } from '../../../src/testing/harness/steps.js';
import { executeAs } from '../../support/execute-as.js';
import { PostgresServer } from '../../support/postgres-server.js';
import {
  hasServerPrograms,
  NEEDS_PROGRAMS,
  SERVER_BIN,
} from '../../support/postgres-under-test.js';
import { postgresHarness } from './project-stores-harness.js';

/** What pg_textsearch 0.6 has only in memory must not be missing from any answer. */
describe.skipIf(!hasServerPrograms)(`a restarted server ${NEEDS_PROGRAMS}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.create(SERVER_BIN, 'kept');
  });
  afterAll(() => server?.remove());

  it.each(['fast', 'immediate'] as const)('finds everything after a stop, %s', async (mode) => {
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
    await server.stop(mode);
    await server.start();
    expect(await found(subject, 'copper')).toEqual(before);
    await ingest(subject, document('c', ['copper']));
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
});
