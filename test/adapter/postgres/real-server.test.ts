import { afterAll, describe } from 'vitest';
import { hasServer, NEEDS_SERVER, SERVER_URL } from '../../support/postgres-under-test.js';
import { describeEveryContract, describeIndexedContracts } from './every-contract.js';
import { postgresHarness } from './project-stores-harness.js';
import { dropSpareSchemas } from './schema-keys.js';

/** The same contracts on a PostgreSQL server, which has what PGlite lacks: several sessions. */
describe.skipIf(!hasServer)(`a server ${NEEDS_SERVER}`, () => {
  const server = { url: SERVER_URL, connections: 4 };
  afterAll(() => dropSpareSchemas(SERVER_URL));
  describeEveryContract('PostgreSQL', (schemas) => postgresHarness({ ...server, schemas }));
  const thresholds = { keyword: 0, neighbours: 0 };
  describeIndexedContracts('PostgreSQL with indexes', () =>
    postgresHarness({ ...server, thresholds, schemas: 'new' }),
  );
});
