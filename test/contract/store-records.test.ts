import { inMemoryHarness } from '../../src/testing/harness/in-memory-harness.js';
import { describeStoreRecords } from '../../src/testing/stores/store-records.contract.js';
import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';

describeStoreRecords('SQLite', { makeHarness: sqliteHarness });
describeStoreRecords('memory', { makeHarness: inMemoryHarness });
