import { describe } from 'vitest';
import { describeEveryContract, describeIndexedContracts } from './every-contract.js';
import { postgresHarness } from './project-stores-harness.js';

/**
 * The same contracts on a PostgreSQL server, which has what PGlite lacks: several sessions. It runs
 * where KNOWLEDGE_TEST_POSTGRES is the URL of a database in which schemas may be created and dropped.
 */
const { KNOWLEDGE_TEST_POSTGRES: url = '' } = process.env;

describe.skipIf(url === '')('a server (skipped without KNOWLEDGE_TEST_POSTGRES)', () => {
  const server = { url, connections: 4 };
  describeEveryContract('PostgreSQL', () => postgresHarness(server));
  const thresholds = { keyword: 0, neighbours: 0 };
  describeIndexedContracts('PostgreSQL with indexes', () =>
    postgresHarness({ ...server, thresholds }),
  );
});
