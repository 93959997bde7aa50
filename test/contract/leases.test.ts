import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';
import { inMemoryHarness } from './in-memory-harness.js';
import { describeLeases } from './leases.contract.js';

describeLeases('SQLite', { makeHarness: sqliteHarness });
describeLeases('memory', { makeHarness: inMemoryHarness });
