import { COMPACTION_THRESHOLD_TOKENS } from './limits.js';
import { estimateTokens } from './tokens.js';

/** A category name that is also a safe file name (contract, "Chunks and sources"). */
export function isCategoryName(name: string): boolean {
  return /^[a-z0-9][a-z0-9_-]*$/.test(name);
}

/** Whether a category is over its threshold of `estimateTokens` (specification, `compactCategory`). */
export function needsCompaction(text: string, threshold = COMPACTION_THRESHOLD_TOKENS): boolean {
  return estimateTokens(text) > threshold;
}
