import { inMemoryHarness } from '../../src/testing/harness/in-memory-harness.js';
import { describeKeywordIndex } from '../../src/testing/search/keyword-index.contract.js';
import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';

describeKeywordIndex('SQLite', { makeHarness: sqliteHarness });
describeKeywordIndex('memory', { makeHarness: inMemoryHarness });
