import { cutToFit } from '../../../domain/chunks/cutting.js';
import { CHARACTERS_PER_BUDGET_TOKEN, TOKENS_PER_WORD } from '../../../domain/limits.js';
import { exactPlace, exactWords } from '../../../domain/query/exact-words.js';
import {
  findPassage,
  rarityAmong,
  shownWords,
  wordPattern,
} from '../../../domain/query/passages.js';
import { estimateTokens, tokenCost } from '../../../domain/text.js';

/** Token budget of a tool's result if the call sets none (docs/mcp.md, "Tools"). */
export const DEFAULT_ANSWER_TOKENS = 4000;
/** Number of results if the call sets none. Each then has room for more than a preview. */
export const DEFAULT_ANSWER_RESULTS = 10;

/** Estimates the tokens of a text for a model: the larger of two estimates, by length and by words. */
export function answerTokens(text: string): number {
  return Math.max(tokenCost(text), Math.ceil(estimateTokens(text)));
}

/**
 * The largest limit at which all costs fit together, each cut to it; infinite if they fit uncut. Costly entries share
 * the budget that cheap ones leave.
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

/** The query that an excerpt is for. */
export interface Searched {
  readonly query: string;
  /** Texts that show which words are rare, such as those of all results. */
  readonly among: readonly string[];
}

/** The shown part of a text. */
export interface Preview {
  readonly text: string;
  /** Whether it is the whole text. */
  readonly complete: boolean;
  /** Offset of the best passage in the whole text; default 0. */
  readonly start?: number;
}

/**
 * Cuts a text to the part that fits into `tokens` and best shows why a query found it: around a literal identifier,
 * file name or path of the query, or else around most of its words, with rare words counting more. Without a query, the
 * beginning.
 */
export function cutPreview(text: string, tokens: number, searched?: Searched): Preview {
  if (answerTokens(text) <= tokens) return { text, complete: true };
  const available = Math.max(0, tokens - ELLIPSIS_TOKENS);
  const parts = cutToFit(text, {
    characters: Math.floor(available * CHARACTERS_PER_BUDGET_TOKEN),
    words: Math.floor(available / TOKENS_PER_WORD),
  });
  const weights = searched === undefined ? [0] : weighParts(parts, searched);
  const best = Math.max(0, weights.indexOf(Math.max(...weights)));
  const shown = parts[best]?.trim() ?? '';
  const start = parts.slice(0, best).join('').length + passage(parts[best], searched);
  return { text: best === 0 ? `${shown} …` : `… ${shown} …`, complete: false, start };
}

function passage(part = '', searched?: Searched): number {
  return searched === undefined ? 0 : (findPassage(part, searched.query, searched.among) ?? 0);
}

const ELLIPSIS_TOKENS = 3;

function weighParts(parts: readonly string[], { query, among }: Searched): readonly number[] {
  const exact = exactWords(query);
  const isLiteral = parts.map((part) => exactPlace(part, exact) !== undefined);
  if (isLiteral.includes(true)) return isLiteral.map(Number);
  const holders = shownWords(query).map((word) => {
    const holds = parts.map((part) => part.search(wordPattern(word)) !== -1);
    const count = holds.filter(Boolean).length;
    return { holds, weight: count === 0 ? 0 : rarityAmong(word, among) / count };
  });
  return parts.map((_, i) =>
    holders.reduce((sum, { holds, weight }) => sum + (holds[i] ? weight : 0), 0),
  );
}
