import type { Room } from '../../../domain/chunks/cutting.js';
import { estimateTokens, tokenCost } from '../../../domain/chunks/tokens.js';
import { CHARACTERS_PER_BUDGET_TOKEN, TOKENS_PER_WORD } from '../../../domain/limits.js';

/** Tokens of a text that a model gets: the larger of the two estimates, by length and by words. */
export function answerTokens(text: string): number {
  return Math.max(tokenCost(text), Math.ceil(estimateTokens(text)));
}

/** The text that costs at most `tokens`. */
export function roomFor(tokens: number): Room {
  return {
    characters: Math.floor(tokens * CHARACTERS_PER_BUDGET_TOKEN),
    words: Math.floor(tokens / TOKENS_PER_WORD),
  };
}
