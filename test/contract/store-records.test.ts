import { inMemoryHarness } from '../../src/testing/harness/in-memory-harness.js';
import { describeStoreRecords } from '../../src/testing/stores/store-records.contract.js';
import { sqliteHarness, threadedSqliteHarness } from '../adapter/sqlite/project-stores-harness.js';

describeStoreRecords('SQLite', { makeHarness: sqliteHarness });
describeStoreRecords('SQLite in threads', { makeHarness: threadedSqliteHarness });
describeStoreRecords('memory', { makeHarness: inMemoryHarness });
