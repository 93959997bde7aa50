import { inMemoryHarness } from '../../src/testing/harness/store-harness.js';
import { describeVectorIndex } from '../../src/testing/search/vector-index.contract.js';
import { describeStores } from '../../src/testing/stores/every-store.contract.js';
import { describeQuestionStore } from '../../src/testing/stores/question-store.contract.js';
import {
  sqliteHarness,
  sqliteWithVectorsInMemory,
} from '../adapter/sqlite/project-stores-harness.js';

describeStores('memory', inMemoryHarness);
describeStores('SQLite', sqliteHarness);

const vectorsInMemory = { makeHarness: sqliteWithVectorsInMemory };
describeVectorIndex('SQLite with vectors in memory', vectorsInMemory);
describeQuestionStore('SQLite with vectors in memory', vectorsInMemory);
