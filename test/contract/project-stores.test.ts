import { inMemoryHarness } from '../fakes/in-memory-harness.js';
import { describeProjectStores } from './project-stores.contract.js';
import { sqliteHarness } from './project-stores-sqlite-harness.js';

describeProjectStores('in memory', inMemoryHarness);
describeProjectStores('SQLite', sqliteHarness);
