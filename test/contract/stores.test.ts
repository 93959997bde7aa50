import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';
import { inMemoryHarness } from './harness/store-harness.js';
import { describeStores } from './stores/every-store.contract.js';

describeStores('memory', inMemoryHarness);
describeStores('SQLite', sqliteHarness);
