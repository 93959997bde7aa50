import { inMemoryHarness } from '../../src/testing/harness/in-memory-harness.js';
import { describeLeases } from '../../src/testing/stores/leases.contract.js';
import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';

describeLeases('SQLite', { makeHarness: sqliteHarness });
describeLeases('memory', { makeHarness: inMemoryHarness });
