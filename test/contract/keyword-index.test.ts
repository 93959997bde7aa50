import { inMemoryHarness } from '../../src/testing/harness/in-memory-harness.js';
import { describeKeywordIndex } from '../../src/testing/search/keyword-index.contract.js';
import { sqliteHarness, threadedSqliteHarness } from '../adapter/sqlite/project-stores-harness.js';

describeKeywordIndex('SQLite', { makeHarness: sqliteHarness });
describeKeywordIndex('SQLite in threads', { makeHarness: threadedSqliteHarness });
describeKeywordIndex('memory', { makeHarness: inMemoryHarness });
