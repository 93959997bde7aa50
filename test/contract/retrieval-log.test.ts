import { inMemoryHarness } from '../../src/testing/harness/in-memory-harness.js';
import { describeRetrievalLog } from '../../src/testing/stores/retrieval-log.contract.js';
import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';

describeRetrievalLog('SQLite', { makeHarness: sqliteHarness });
describeRetrievalLog('memory', {
  makeHarness: inMemoryHarness,
  skip: [
    {
      reason: 'No other program can write into this memory.',
      tests: [
        'goes by the last retrieval that another program recorded without counting it, even for an old chunk',
        'never finds a chunk with a counted retrieval, however long ago it was',
      ],
    },
  ],
});
