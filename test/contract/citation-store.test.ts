import { inMemoryHarness } from '../../src/testing/harness/in-memory-harness.js';
import { describeCitationStore } from '../../src/testing/stores/citation-store.contract.js';
import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';

describeCitationStore('SQLite', { makeHarness: sqliteHarness });
describeCitationStore('memory', { makeHarness: inMemoryHarness });
