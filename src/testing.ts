/**
 * The contract suites of the ports, for backends of one's own: `describe…` declares the tests of one port
 * for one implementation, inside a test file of vitest, which is a peer dependency of this entry alone.
 *
 * @example
 * ```js
 * import { describeOwnVectorIndex } from 'knowledge-store/testing';
 * import { MyVectorIndex } from './my-vector-index.js';
 *
 * describeOwnVectorIndex('my index', (texts) => new MyVectorIndex(texts));
 * ```
 */
export type { ContractOptions, Deviation } from './testing/harness/contract-suite.js';
export { FixedClock } from './testing/harness/fixed-clock.js';
export { inMemoryHarness } from './testing/harness/in-memory-harness.js';
export type {
  MakeHarness,
  OutsideWorld,
  PlantedMetrics,
  StoreHarness,
} from './testing/harness/project-stores-harness.js';
export { describeEmbedder } from './testing/models/embedder.contract.js';
export { describeLessonExtractor } from './testing/models/lesson-extractor.contract.js';
export { describeQuestionGenerator } from './testing/models/question-generator.contract.js';
export { describeSummarizer } from './testing/models/summarizer.contract.js';
export { describeKeywordIndex } from './testing/search/keyword-index.contract.js';
export { describeOwnVectorIndex } from './testing/search/own-vector-index.contract.js';
export { describeVectorIndex } from './testing/search/vector-index.contract.js';
export { describeChunkRepository } from './testing/stores/chunk-repository.contract.js';
export { describeCitationStore } from './testing/stores/citation-store.contract.js';
export { describeEmbeddableTexts } from './testing/stores/embeddable-texts.contract.js';
export { describeLeases } from './testing/stores/leases.contract.js';
export { describeProjectStores } from './testing/stores/project-stores.contract.js';
export { describeQuestionStore } from './testing/stores/question-store.contract.js';
export { describeRetrievalLog } from './testing/stores/retrieval-log.contract.js';
export { describeStoreRecords } from './testing/stores/store-records.contract.js';
