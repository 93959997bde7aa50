import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { found, ingest } from '../../contract/harness/steps.js';
import { document } from '../../support/chunks.js';
import { executeAs } from '../../support/execute-as.js';
import { PostgresServer } from '../../support/postgres-server.js';
import {
  hasServerPrograms,
  NEEDS_PROGRAMS,
  SERVER_BIN,
} from '../../support/postgres-under-test.js';
import { postgresHarness } from './project-stores-harness.js';

describe.skipIf(!hasServerPrograms)(`a server of its own ${NEEDS_PROGRAMS}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.create(SERVER_BIN, 'kept');
  });
  afterAll(() => server?.remove());

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

  it.each(['repeatable read', 'serializable'])(
    'is used where its transactions are %s by default',
    async (isolation) => {
      await executeAs(
        server.url,
        `ALTER SYSTEM SET default_transaction_isolation = '${isolation}'`,
      );
      await executeAs(server.url, 'SELECT pg_reload_conf()');
      const harness = await postgresHarness({ url: server.url, connections: 2 });
      const first = await harness.stores.open(harness.projectPath);
      const second = await harness.otherProcess().open(harness.projectPath);
      for (let round = 0; round < 30; round += 1) {
        const asking = [first, second, first, second].map(({ upkeep }) => upkeep.acquire('a', 10));
        await expect(Promise.all(asking)).resolves.toHaveLength(4);
      }
      await harness.dispose();
    },
  );
});
