import { cutToFit, measureText } from '../../../domain/chunks/cutting.js';
import { visibleText } from '../../../domain/lessons/lesson-text.js';
import { CHARACTERS_PER_BUDGET_TOKEN, TOKENS_PER_WORD } from '../../../domain/limits.js';

/** As many lines of a file as fit into a budget. */
export interface LinesPage {
  readonly text: string;
  /** Index of the last shown line; the first line is 0. */
  readonly last: number;
  /** Where to continue, if there is more: the index of the line, and the character in it, counted from 1. */
  readonly next?: { readonly line: number; readonly column: number };
}

/**
 * Shows whole lines while they fit. A line that does not fit is cut if leaving it out would waste most of the budget.
 * @param column the character of the first line at which to begin, from 1
 */
export function linesPage(lines: readonly string[], tokens: number, column = 1): LinesPage {
  const [first = '', ...others] = lines;
  const rest = [first.slice(column - 1), ...others];
  const room = {
    characters: tokens * CHARACTERS_PER_BUDGET_TOKEN,
    words: tokens / TOKENS_PER_WORD,
  };
  const left = { ...room };
  const fitting = rest.findIndex((line) => {
    const { characters, words } = measureText(line);
    left.characters -= characters + 1;
    left.words -= words;
    const fits = left.characters >= 0 && left.words >= 0;
    if (!fits) {
      left.characters += characters + 1;
      left.words += words;
    }
    return !fits;
  });
  if (fitting === -1) return { text: pageText(rest), last: rest.length - 1 };
  const isMostlyUsed = left.characters < room.characters / 2 || left.words < room.words / 2;
  if (fitting > 0 && isMostlyUsed) {
    const next = { line: fitting, column: 1 };
    return { text: pageText(rest.slice(0, fitting)), last: fitting - 1, next };
  }
  return cutPage(rest, { at: fitting, left, begin: fitting === 0 ? column : 1 });
}

interface Cut {
  readonly at: number;
  readonly left: { readonly characters: number; readonly words: number };
  /** The character at which the line begins, from 1. */
  readonly begin: number;
}

function cutPage(lines: readonly string[], { at, left, begin }: Cut): LinesPage {
  const line = lines[at] ?? '';
  const head = headThatFits(line, left);
  const before = lines.slice(0, at);
  if (head.length < line.length) {
    const next = { line: at, column: begin + head.length };
    return { text: pageText([...before, `${head} …`]), last: at, next };
  }
  const page = { text: pageText([...before, line]), last: at };
  return at === lines.length - 1 ? page : { ...page, next: { line: at + 1, column: 1 } };
}

function pageText(lines: readonly string[]): string {
  return visibleText(lines.join('\n'));
}

/** Cuts a line to what fits, but never to nothing, so that each page makes progress. */
function headThatFits(line: string, left: Cut['left']): string {
  const [head = ''] = cutToFit(line, {
    characters: Math.max(LEAST.characters, Math.floor(left.characters)),
    words: Math.max(LEAST.words, Math.floor(left.words)),
  });
  return head;
}

const LEAST = { characters: 40, words: 8 };
