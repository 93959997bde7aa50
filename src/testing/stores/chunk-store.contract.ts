import { type ContractOptions, contractSuite } from '../harness/contract-suite.js';
import { declareCounting } from './chunk-store-counting.contract.js';
import { declareMoving } from './chunk-store-moving.contract.js';
import { declareRenaming } from './chunk-store-renaming.contract.js';
import { declareReplacing } from './chunk-store-replacing.contract.js';

/** What every ChunkStore does. */
export function describeChunkStore(name: string, options: ContractOptions): void {
  contractSuite(`ChunkStore: ${name}`, options, (suite) => {
    declareReplacing(suite);
    declareMoving(suite);
    declareRenaming(suite);
    declareCounting(suite);
  });
}
