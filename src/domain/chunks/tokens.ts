import { CHARACTERS_PER_BUDGET_TOKEN, TOKENS_PER_WORD } from '../limits.js';

/** Tokens of a text for chunking and compaction: word count × 1.3 (docs/specification.md, "Chunking"). */
export function estimateTokens(text: string): number {
  return countWords(text) * TOKENS_PER_WORD;
}

/** Tokens of a chunk for the budget of a search: ceil(UTF-16 length / 4). */
export function tokenCost(content: string): number {
  return Math.ceil(content.length / CHARACTERS_PER_BUDGET_TOKEN);
}

/** Words are what stands between white space. */
export function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
