import { inMemoryHarness } from '../../src/testing/harness/in-memory-harness.js';
import { describeChunkRepository } from '../../src/testing/stores/chunk-repository.contract.js';
import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';

describeChunkRepository('SQLite', { makeHarness: sqliteHarness });
describeChunkRepository('memory', {
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
