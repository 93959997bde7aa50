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
export type {
  MakeHarness,
  OutsideWorld,
  PlantedMetrics,
  StoreHarness,
} from './testing/harness/store-harness.js';
export { inMemoryHarness } from './testing/harness/store-harness.js';
export { describeEmbedder } from './testing/models/embedder.contract.js';
export {
  describeLessonExtractor,
  describeQuestionGenerator,
  describeSummarizer,
} from './testing/models/language-model.contract.js';
export { describeKeywordIndex } from './testing/search/keyword-index.contract.js';
export {
  describeOwnVectorIndex,
  describeVectorIndex,
} from './testing/search/vector-index.contract.js';
export { describeChunkListing } from './testing/stores/chunk-listing.contract.js';
export { describeChunkRepository } from './testing/stores/chunk-repository.contract.js';
export { describeCitationStore } from './testing/stores/citation-store.contract.js';
export { describeEmbeddableTexts } from './testing/stores/embeddable-texts.contract.js';
export { describeStores } from './testing/stores/every-store.contract.js';
export { describeLeases } from './testing/stores/leases.contract.js';
export { describeProjectStores } from './testing/stores/project-stores.contract.js';
export { describeQuestionStore } from './testing/stores/question-store.contract.js';
export { describeRetrievalLog } from './testing/stores/retrieval-log.contract.js';
