import { type ContractOptions, contractSuite } from '../harness/contract-suite.js';
import { declareCjkSearching } from './keyword-index-cjk.contract.js';
import { declareFiltering } from './keyword-index-filters.contract.js';
import { declareSearching } from './keyword-index-search.contract.js';
import { declareWords } from './keyword-index-words.contract.js';

/** What every KeywordIndex does. */
export function describeKeywordIndex(name: string, options: ContractOptions): void {
  contractSuite(`KeywordIndex: ${name}`, options, (suite) => {
    declareSearching(suite);
    declareFiltering(suite);
    declareWords(suite);
    declareCjkSearching(suite);
  });
}
