import { inMemoryHarness } from '../../src/testing/harness/store-harness.js';
import { describeVectorIndex } from '../../src/testing/search/vector-index.contract.js';
import { describeStores } from '../../src/testing/stores/every-store.contract.js';
import {
  sqliteHarness,
  sqliteWithVectorsInMemory,
} from '../adapter/sqlite/project-stores-harness.js';

describeStores('memory', inMemoryHarness);
describeStores('SQLite', sqliteHarness);

describeVectorIndex('SQLite with vectors in memory', { makeHarness: sqliteWithVectorsInMemory });
