import { cutToFit, type TextSize } from '../../../domain/chunks/cutting.js';
import { estimateTokens, tokenCost } from '../../../domain/chunks/tokens.js';
import { CHARACTERS_PER_BUDGET_TOKEN, TOKENS_PER_WORD } from '../../../domain/limits.js';

/** Tokens of a text that a model gets: the larger of the two estimates, by length and by words. */
export function answerTokens(text: string): number {
  return Math.max(tokenCost(text), Math.ceil(estimateTokens(text)));
}

/** The text that costs at most `tokens`. */
function limitFor(tokens: number): TextSize {
  return {
    characters: Math.floor(tokens * CHARACTERS_PER_BUDGET_TOKEN),
    words: Math.floor(tokens / TOKENS_PER_WORD),
  };
}

/**
 * The largest limit for which the costs fit together, each of them cut at the limit; infinite if they fit
 * uncut. What cheap entries leave over is shared by the others.
 */
export function fairShare(costs: readonly number[], available: number): number {
  let left = available;
  const ascending = [...costs].sort((a, b) => a - b);
  for (const [index, cost] of ascending.entries()) {
    const open = ascending.length - index;
    if (cost * open > left) return Math.floor(left / open);
    left -= cost;
  }
  return Number.POSITIVE_INFINITY;
}

/** What is shown of a text. */
export interface Preview {
  readonly text: string;
  /** Whether that is all of it. */
  readonly complete: boolean;
}

/**
 * The part of a text that fits into `tokens` and contains most of the terms: the first of those parts,
 * hence the beginning if there are no terms.
 */
export function previewOf(text: string, tokens: number, terms: readonly string[] = []): Preview {
  if (answerTokens(text) <= tokens) return { text, complete: true };
  const parts = cutToFit(text, limitFor(tokens - ELLIPSIS_TOKENS));
  const counts = parts.map((part) => termsIn(part, terms));
  const best = counts.indexOf(Math.max(...counts));
  const shown = parts[best]?.trim() ?? '';
  return { text: best === 0 ? `${shown} …` : `… ${shown} …`, complete: false };
}

const ELLIPSIS_TOKENS = 3;

function termsIn(part: string, terms: readonly string[]): number {
  const text = part.toLowerCase();
  return terms.filter((term) => text.includes(term.toLowerCase())).length;
}
