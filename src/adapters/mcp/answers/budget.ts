import { cutToFit } from '../../../domain/chunks/cutting.js';
import { estimateTokens, tokenCost } from '../../../domain/chunks/text.js';
import { CHARACTERS_PER_BUDGET_TOKEN, TOKENS_PER_WORD } from '../../../domain/limits.js';

/** Budget of the text of a tool's result, if the call names none (docs/mcp.md, "Tools"). */
export const DEFAULT_ANSWER_TOKENS = 4000;
/** Results of a search, if the call names no number: so that each has room for more than a preview. */
export const DEFAULT_ANSWER_RESULTS = 10;

/** Tokens of a text that a model gets: the larger of the two estimates, by length and by words. */
export function answerTokens(text: string): number {
  return Math.max(tokenCost(text), Math.ceil(estimateTokens(text)));
}

/**
 * The largest limit for which the costs fit together, each of them cut at the limit; infinite if they fit
 * uncut. What cheap entries leave over is shared by the others.
 */
export function fairShare(costs: readonly number[], available: number): number {
  let left = available;
  const ascending = costs.toSorted((a, b) => a - b);
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
  const room = Math.max(0, tokens - ELLIPSIS_TOKENS);
  const parts = cutToFit(text, {
    characters: Math.floor(room * CHARACTERS_PER_BUDGET_TOKEN),
    words: Math.floor(room / TOKENS_PER_WORD),
  });
  const counts = parts.map((part) => termsIn(part.toLowerCase(), terms));
  const best = counts.indexOf(Math.max(...counts));
  const shown = parts[best]?.trim() ?? '';
  return { text: best === 0 ? `${shown} …` : `… ${shown} …`, complete: false };
}

const ELLIPSIS_TOKENS = 3;

function termsIn(text: string, terms: readonly string[]): number {
  return terms.filter((term) => text.includes(term.toLowerCase())).length;
}
