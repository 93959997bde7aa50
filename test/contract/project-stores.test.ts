import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';
import { inMemoryHarness } from '../fakes/in-memory-harness.js';
import { describeProjectStores } from './project-stores.contract.js';

describeProjectStores('in memory', inMemoryHarness);
describeProjectStores('SQLite', sqliteHarness);
