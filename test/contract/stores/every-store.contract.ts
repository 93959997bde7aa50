import type { ContractOptions } from '../harness/contract-suite.js';
import { describeKeywordIndex } from '../search/keyword-index.contract.js';
import { describeVectorIndex } from '../search/vector-index.contract.js';
import { describeChunkEntries } from './chunk-entries.contract.js';
import { describeChunkRepository, overStores } from './chunk-repository.contract.js';
import { describeCitationStore } from './citation-store.contract.js';
import { describeKeptWithChunks } from './kept-with-chunks.contract.js';
import { describeLeases } from './leases.contract.js';
import { describeProjectStores } from './project-stores.contract.js';
import { describeRetrievalLog } from './retrieval-log.contract.js';
import { describeSourceRepository } from './source-repository.contract.js';

/** The contracts of all ports of a store. */
export function describeStores(name: string, makeHarness: ContractOptions['makeHarness']): void {
  describeProjectStores(name, { makeHarness });
  describeSourceRepository(name, { makeHarness });
  describeChunkRepository(name, overStores(makeHarness));
  describeKeywordIndex(name, { makeHarness });
  describeVectorIndex(name, { makeHarness });
  describeRetrievalLog(name, { makeHarness });
  describeChunkEntries(name, { makeHarness });
  describeCitationStore(name, { makeHarness });
  describeLeases(name, { makeHarness });
  describeKeptWithChunks(name, { makeHarness });
}
