import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';
import { inMemoryHarness } from './in-memory-harness.js';
import { describeRetrievalLog } from './retrieval-log.contract.js';

describeRetrievalLog('SQLite', { makeHarness: sqliteHarness });
describeRetrievalLog('memory', {
  makeHarness: inMemoryHarness,
  skip: [
    {
      reason: 'No other program can write into this memory.',
      tests: [
        'counts from the last retrieval if there is one, even for an old chunk',
        'never finds what was retrieved, however long ago',
      ],
    },
  ],
});
