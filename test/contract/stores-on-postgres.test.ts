import { afterAll, describe } from 'vitest';
import { dropReusedSchemas, postgresHarness } from '../adapter/postgres/project-stores-harness.js';
import { hasServer, isLongRun, NEEDS_SERVER, SERVER_URL } from '../support/postgres-under-test.js';
import { usePglite } from '../support/use-pglite.js';
import { describeStores } from './stores/every-store.contract.js';

describe.skipIf(hasServer && !isLongRun)('PGlite, where a server behaves differently', () => {
  const pglite = usePglite();
  afterAll(() => dropReusedSchemas(pglite()));
  describeStores('PGlite', () =>
    postgresHarness({ url: pglite(), connections: 1, schemas: 'reused' }),
  );
});

describe.skipIf(!hasServer)(`a server ${NEEDS_SERVER}`, () => {
  const server = { url: SERVER_URL, connections: 4 };
  afterAll(() => dropReusedSchemas(SERVER_URL));
  describeStores('PostgreSQL', () => postgresHarness({ ...server, schemas: 'reused' }));
});
