import {
  sqliteHarness,
  sqliteWithVectorsInMemory,
} from '../adapter/sqlite/project-stores-harness.js';
import { inMemoryHarness } from './harness/store-harness.js';
import { describeVectorIndex } from './search/vector-index.contract.js';
import { describeStores } from './stores/every-store.contract.js';

describeStores('memory', inMemoryHarness);
describeStores('SQLite', sqliteHarness);

describeVectorIndex('SQLite with vectors in memory', { makeHarness: sqliteWithVectorsInMemory });
