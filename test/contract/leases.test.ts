import { inMemoryHarness } from '../../src/testing/harness/in-memory-harness.js';
import { describeLeases } from '../../src/testing/stores/leases.contract.js';
import { sqliteHarness, threadedSqliteHarness } from '../adapter/sqlite/project-stores-harness.js';

describeLeases('SQLite', { makeHarness: sqliteHarness });
describeLeases('SQLite in threads', { makeHarness: threadedSqliteHarness });
describeLeases('memory', { makeHarness: inMemoryHarness });
