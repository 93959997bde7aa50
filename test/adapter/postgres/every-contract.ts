import type { MakeHarness } from '../../../src/testing/harness/project-stores-harness.js';
import { describeKeywordIndex } from '../../../src/testing/search/keyword-index.contract.js';
import { describeVectorIndex } from '../../../src/testing/search/vector-index.contract.js';
import { describeChunkRepository } from '../../../src/testing/stores/chunk-repository.contract.js';
import { describeCitationStore } from '../../../src/testing/stores/citation-store.contract.js';
import { describeEmbeddableTexts } from '../../../src/testing/stores/embeddable-texts.contract.js';
import { describeLeases } from '../../../src/testing/stores/leases.contract.js';
import { describeProjectStores } from '../../../src/testing/stores/project-stores.contract.js';
import { describeQuestionStore } from '../../../src/testing/stores/question-store.contract.js';
import { describeRetrievalLog } from '../../../src/testing/stores/retrieval-log.contract.js';
import { describeStoreRecords } from '../../../src/testing/stores/store-records.contract.js';

/**
 * The contracts of all store ports, for stores of the size at which everything is computed exactly. Only that of the
 * stores themselves makes a new schema for every project.
 */
export function describeEveryContract(
  name: string,
  harnessOn: (schemas: 'new' | 'reused') => ReturnType<MakeHarness>,
): void {
  const makeHarness = () => harnessOn('reused');
  describeProjectStores(name, { makeHarness: () => harnessOn('new') });
  describeChunkRepository(name, { makeHarness });
  describeEmbeddableTexts(name, { makeHarness });
  describeKeywordIndex(name, { makeHarness });
  describeVectorIndex(name, { makeHarness });
  describeRetrievalLog(name, { makeHarness });
  describeStoreRecords(name, { makeHarness });
  describeCitationStore(name, { makeHarness });
  describeQuestionStore(name, { makeHarness });
  describeLeases(name, { makeHarness });
}

/** The contracts of what the optional indexes do, for stores that use them from the first chunk on. */
export function describeIndexedContracts(name: string, makeHarness: MakeHarness): void {
  describeKeywordIndex(name, {
    makeHarness,
    skip: [
      {
        reason: 'pg_textsearch adds 1 within the logarithm of the idf.',
        tests: [
          'gives a word that occurs nearly everywhere a relevance just above 0',
          'returns BM25 with k1 = 1.2 and b = 0.75 as relevance',
        ],
      },
    ],
  });
  describeVectorIndex(name, { makeHarness });
}
