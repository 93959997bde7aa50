import { inMemoryHarness } from '../fakes/in-memory-harness.js';
import { describeChunkRepository } from './chunk-repository.contract.js';
import { sqliteHarness } from './project-stores-sqlite-harness.js';

describeChunkRepository('in memory', inMemoryHarness);
describeChunkRepository('SQLite', sqliteHarness);
