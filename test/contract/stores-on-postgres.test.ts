import { afterAll, describe } from 'vitest';
import { postgresHarness } from '../adapter/postgres/project-stores-harness.js';
import { dropSpareSchemas } from '../adapter/postgres/schema-keys.js';
import { hasServer, isLongRun, NEEDS_SERVER, SERVER_URL } from '../support/postgres-under-test.js';
import { usePglite } from '../support/use-pglite.js';
import { describeKeywordIndex } from './search/keyword-index.contract.js';
import { describeVectorIndex } from './search/vector-index.contract.js';
import { describeStores } from './stores/every-store.contract.js';

describe.skipIf(hasServer && !isLongRun)('PGlite, where no server shows the same', () => {
  const pglite = usePglite();
  describeStores('PGlite', () =>
    postgresHarness({ url: pglite(), connections: 1, schemas: 'reused' }),
  );
});

describe.skipIf(!hasServer)(`a server ${NEEDS_SERVER}`, () => {
  const server = { url: SERVER_URL, connections: 4 };
  afterAll(() => dropSpareSchemas(SERVER_URL));
  describeStores('PostgreSQL', () => postgresHarness({ ...server, schemas: 'reused' }));

  const makeHarness = () => postgresHarness({ ...server, indexes: 'always' });
  describeVectorIndex('PostgreSQL with indexes', { makeHarness });
  describeKeywordIndex('PostgreSQL with indexes', {
    makeHarness,
    skip: [
      {
        reason: 'pg_textsearch adds 1 within the logarithm of the idf.',
        tests: [
          'gives a word that occurs nearly everywhere a relevance just above 0',
          'returns BM25 with k1 = 1.2 and b = 0.75 as relevance',
        ],
      },
      {
        reason:
          'The statistics of pg_textsearch count deleted rows until a vacuum, so a replaced source changes scores.',
        tests: ['leaves the scores of queries for other words as they are'],
      },
    ],
  });
});
