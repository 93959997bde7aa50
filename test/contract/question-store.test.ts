import { inMemoryHarness } from '../../src/testing/harness/in-memory-harness.js';
import { describeQuestionStore } from '../../src/testing/stores/question-store.contract.js';
import {
  sqliteHarness,
  sqliteWithVectorsInMemory,
} from '../adapter/sqlite/project-stores-harness.js';

describeQuestionStore('SQLite', { makeHarness: sqliteHarness });
describeQuestionStore('memory', {
  makeHarness: inMemoryHarness,
  skip: [
    {
      reason: 'No other program can write into this memory.',
      tests: ['does not list a chunk whose vector is from another model'],
    },
  ],
});
describeQuestionStore('SQLite with vectors in memory', {
  makeHarness: sqliteWithVectorsInMemory,
  skip: [
    {
      reason: 'No other program can write into this memory.',
      tests: ['does not list a chunk whose vector is from another model'],
    },
  ],
});
