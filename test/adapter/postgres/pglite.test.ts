import { afterAll, beforeAll } from 'vitest';
import { startPglite } from '../../support/pglite-server.js';
import { hasServer, isLongRun } from '../../support/postgres-under-test.js';
import { describeDatabase } from './database.cases.js';
import { describeEveryContract } from './every-contract.js';
import { postgresHarness } from './project-stores-harness.js';
import { describeService } from './service.cases.js';

/**
 * Everything that runs on PGlite is in this file, because starting it takes seconds. It has a single
 * session, so each process has one connection.
 */
let server: Awaited<ReturnType<typeof startPglite>> | undefined;
beforeAll(async () => {
  server = await startPglite();
}, 120_000);
afterAll(() => server?.stop());

const url = () => `${server?.url}?connection_limit=1`;

// The same is said by a server, where there is one.
if (!hasServer || isLongRun) {
  describeEveryContract('PGlite', (schemas) =>
    postgresHarness({ url: url(), connections: 1, schemas }),
  );
}
describeDatabase('PGlite', url);
describeService('PGlite', url);
