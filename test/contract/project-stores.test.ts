import { inMemoryHarness } from '../../src/testing/harness/in-memory-harness.js';
import { describeProjectStores } from '../../src/testing/stores/project-stores.contract.js';
import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';

describeProjectStores('SQLite', { makeHarness: sqliteHarness });
describeProjectStores('memory', {
  makeHarness: inMemoryHarness,
  skip: [
    {
      reason: 'Memory is not damaged, and opening it cannot fail.',
      tests: [
        'remembers that a store lost its contents until it is filled again',
        'says that it cannot open a store, and tries again at the next call',
      ],
    },
  ],
});
