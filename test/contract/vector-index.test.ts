import { inMemoryHarness } from '../../src/testing/harness/in-memory-harness.js';
import { describeVectorIndex } from '../../src/testing/search/vector-index.contract.js';
import {
  sqliteHarness,
  sqliteWithVectorsInMemory,
} from '../adapter/sqlite/project-stores-harness.js';

describeVectorIndex('SQLite', { makeHarness: sqliteHarness });
describeVectorIndex('memory', {
  makeHarness: inMemoryHarness,
  skip: [
    {
      reason: 'No other program can write into this memory.',
      tests: [
        'keeps what another program imports between `pending` and `put`',
        'uses a vector of its model that another program wrote',
        'does not see a planted vector %s',
        'notices a vector that changed while another program wrote one',
      ],
    },
  ],
});
describeVectorIndex('SQLite with vectors in memory', {
  makeHarness: sqliteWithVectorsInMemory,
  skip: [
    {
      reason: 'No other program can write into this memory.',
      tests: [
        'keeps what another program imports between `pending` and `put`',
        'uses a vector of its model that another program wrote',
        'does not see a planted vector %s',
        'notices a vector that changed while another program wrote one',
      ],
    },
  ],
});
