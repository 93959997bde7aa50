import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';
import { inMemoryHarness } from '../fakes/in-memory-harness.js';
import { describeVectorIndex } from './vector-index.contract.js';

describeVectorIndex('in memory', inMemoryHarness);
describeVectorIndex('SQLite', sqliteHarness);
