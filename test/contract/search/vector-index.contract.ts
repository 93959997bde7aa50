import { type ContractOptions, contractSuite } from '../harness/contract-suite.js';
import { declareComparing } from './vector-index-comparing.contract.js';
import { declareHeaders, declareQuestions } from './vector-index-kinds.contract.js';
import { declareStoring } from './vector-index-storing.contract.js';

/** What every VectorIndex does. Tested with content vectors where the kind makes no difference. */
export function describeVectorIndex(name: string, options: ContractOptions): void {
  contractSuite(`VectorIndex: ${name}`, options, (suite) => {
    declareStoring(suite);
    declareComparing(suite);
    declareQuestions(suite);
    declareHeaders(suite);
  });
}
