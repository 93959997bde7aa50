import { cutToFit } from '../../../domain/chunks/cutting.js';
import { answerTokens, roomFor } from './answer-tokens.js';

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
  const parts = cutToFit(text, roomFor(tokens - ELLIPSIS_TOKENS));
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
