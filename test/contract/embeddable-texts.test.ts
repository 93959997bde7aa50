import { sqliteHarness } from '../adapter/sqlite/project-stores-harness.js';
import { describeEmbeddableTexts } from './embeddable-texts.contract.js';
import { inMemoryHarness } from './in-memory-harness.js';

describeEmbeddableTexts('SQLite', { makeHarness: sqliteHarness });
describeEmbeddableTexts('memory', { makeHarness: inMemoryHarness });
