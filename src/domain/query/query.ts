import { QUERY_MAX_CHARACTERS, QUERY_MAX_TERMS } from '../limits.js';
import { bigramParts, holdsCjk } from './bigrams.js';
import type { Expression, Term } from './expression.js';
import { bareWordRuns, parseStructured } from './query-parser.js';
import { STOP_WORDS } from './stop-words.js';

/** A query text, read. */
export type Query = StructuredQuery | PlainQuery;

export interface StructuredQuery {
  readonly kind: 'structured';
  readonly expression: Expression;
  /** Set for a sentence: how it is read where nothing matches it as it is written. */
  readonly otherwise?: PlainQuery;
}

export interface PlainQuery {
  readonly kind: 'plain';
  readonly words: readonly string[];
}

/**
 * Reads the text of a query (contract, "Search"). Structured is what uses a double-quoted phrase,
 * an upper-case AND, OR or NOT, parentheses or a trailing `*`, parses as FTS5 does, and stays
 * within the caps. Everything else is plain: its words. Any text can be read.
 */
export function readQuery(text: string): Query {
  const expression = text.length <= QUERY_MAX_CHARACTERS ? parseStructured(text) : undefined;
  if (expression === undefined) return readPlain(text);
  if (!isSentence(text)) return { kind: 'structured', expression };
  return { kind: 'structured', expression, otherwise: readPlain(text) };
}

/** Reads any text as plain words, whatever signs it holds. */
export function readPlain(text: string): PlainQuery {
  return { kind: 'plain', words: wordsOf(text).slice(0, QUERY_MAX_TERMS) };
}

/** The words of the part of a text that is read: runs of letters and digits, in their order. */
export function wordsOf(text: string): readonly string[] {
  const read = text.slice(0, QUERY_MAX_CHARACTERS).toWellFormed().normalize('NFC');
  return read.match(WORD) ?? [];
}

/** Chunks with all of the words; undefined where there are none. */
export function allWords(words: readonly string[]): Expression | undefined {
  return words.length === 0 ? undefined : { kind: 'terms', terms: distinct(words).map(wordTerm) };
}

/**
 * Chunks with any of the informative words: those that are no stop words, or all if there are no
 * others. A word of Chinese, Japanese or Korean is also looked for by its pairs of letters.
 */
export function anyInformativeWord(words: readonly string[]): Expression | undefined {
  const informative = words.filter((word) => !isStopWord(word));
  const kept = distinct(informative.length > 0 ? informative : words);
  if (kept.length === 0) return undefined;
  const terms = [...kept.map(wordTerm), ...partTerms(kept)];
  return { kind: 'or', operands: terms.map((term) => ({ kind: 'terms', terms: [term] })) };
}

/** A mark belongs to the letter before it; a run of marks alone is no word. */
const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu;

/**
 * Bare words side by side, and a stop word among those outside the quotes: somebody stressed an AND,
 * wrote a title in capitals or quoted what they saw, and did not build an expression
 * (`docs/decisions/0013-sentences-that-quote.md`).
 */
function isSentence(text: string): boolean {
  const runs = bareWordRuns(text);
  return runs.some((run) => run.length > 1) && runs.flat().some(isStopWord);
}

function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase());
}

function wordTerm(text: string): Term {
  return { text, prefix: false, ...(holdsCjk(text) && { inRun: 'too' }) };
}

/** At most as many as words are read. */
function partTerms(words: readonly string[]): readonly Term[] {
  const known = new Set(words.map((word) => word.toLowerCase()));
  return distinct(words.filter(holdsCjk).flatMap(bigramParts))
    .filter((part) => !known.has(part.toLowerCase()) && !isStopWord(part))
    .slice(0, QUERY_MAX_TERMS)
    .map((text) => ({ text, prefix: false, ...(holdsCjk(text) && { inRun: 'only' }) }));
}

function distinct(words: readonly string[]): readonly string[] {
  return [...new Map(words.map((word) => [word.toLowerCase(), word])).values()];
}
