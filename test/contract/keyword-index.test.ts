import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';
import { inMemoryHarness } from './in-memory-harness.js';
import { describeKeywordIndex } from './keyword-index.contract.js';

describeKeywordIndex('SQLite', { makeHarness: sqliteHarness });
describeKeywordIndex('memory', { makeHarness: inMemoryHarness });
