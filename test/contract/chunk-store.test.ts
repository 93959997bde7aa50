import { inMemoryHarness } from '../../src/testing/harness/in-memory-harness.js';
import { describeChunkStore } from '../../src/testing/stores/chunk-store.contract.js';
import { sqliteHarness, threadedSqliteHarness } from '../adapter/sqlite/project-stores-harness.js';

describeChunkStore('SQLite', { makeHarness: sqliteHarness });
describeChunkStore('SQLite in threads', { makeHarness: threadedSqliteHarness });
describeChunkStore('memory', {
  makeHarness: inMemoryHarness,
  skip: [
    {
      reason: 'No other program can write into this memory.',
      tests: [
        'never changes a row that another program wrote, and leaves out the chunk whose id that row has',
        'counts chunks that another program wrote',
        'sums up sources that another program wrote',
        'counts no chunks of another program in a source',
      ],
    },
  ],
});
