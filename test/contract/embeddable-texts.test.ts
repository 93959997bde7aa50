import { inMemoryHarness } from '../../src/testing/harness/in-memory-harness.js';
import { describeEmbeddableTexts } from '../../src/testing/stores/embeddable-texts.contract.js';
import { sqliteHarness, threadedSqliteHarness } from '../adapter/sqlite/project-stores-harness.js';

describeEmbeddableTexts('SQLite', { makeHarness: sqliteHarness });
describeEmbeddableTexts('SQLite in threads', { makeHarness: threadedSqliteHarness });
describeEmbeddableTexts('memory', { makeHarness: inMemoryHarness });
