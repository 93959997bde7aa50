import { inMemoryHarness } from '../fakes/in-memory-harness.js';
import { sqliteHarness } from './project-stores-sqlite-harness.js';
import { describeVectorIndex } from './vector-index.contract.js';

describeVectorIndex('in memory', inMemoryHarness);
describeVectorIndex('SQLite', sqliteHarness);
