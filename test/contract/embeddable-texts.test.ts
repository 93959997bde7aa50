import { inMemoryHarness } from '../../src/testing/harness/in-memory-harness.js';
import { describeEmbeddableTexts } from '../../src/testing/stores/embeddable-texts.contract.js';
import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';

describeEmbeddableTexts('SQLite', { makeHarness: sqliteHarness });
describeEmbeddableTexts('memory', { makeHarness: inMemoryHarness });
