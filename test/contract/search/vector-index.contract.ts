import { type ContractOptions, contractSuite } from '../harness/contract-suite.js';
import { declareComparing } from './vector-index-comparing.contract.js';
import { declareHeaders, declareQuestions } from './vector-index-kinds.contract.js';
import { declareStoring } from './vector-index-storing.contract.js';

/** The contract of `VectorIndex`. Uses content vectors if the kind makes no difference. */
export function describeVectorIndex(name: string, options: ContractOptions): void {
  contractSuite(`VectorIndex: ${name}`, options, (suite) => {
    declareStoring(suite);
    declareComparing(suite);
    declareQuestions(suite);
    declareHeaders(suite);
  });
}
