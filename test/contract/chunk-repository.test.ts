import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';
import { inMemoryHarness } from '../fakes/in-memory-harness.js';
import { describeChunkRepository } from './chunk-repository.contract.js';

describeChunkRepository('in memory', inMemoryHarness);
describeChunkRepository('SQLite', sqliteHarness);
