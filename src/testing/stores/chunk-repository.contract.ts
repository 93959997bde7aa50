import { type ContractOptions, contractSuite } from '../harness/contract-suite.js';
import { declareCounting } from './chunk-repository-counting.contract.js';
import { declareMoving } from './chunk-repository-moving.contract.js';
import { declareRenaming } from './chunk-repository-renaming.contract.js';
import { declareReplacing } from './chunk-repository-replacing.contract.js';
import { declareSuperseding } from './chunk-repository-superseding.contract.js';

/** What every ChunkRepository does. */
export function describeChunkRepository(name: string, options: ContractOptions): void {
  contractSuite(`ChunkRepository: ${name}`, options, (suite) => {
    declareReplacing(suite);
    declareMoving(suite);
    declareRenaming(suite);
    declareSuperseding(suite);
    declareCounting(suite);
  });
}
