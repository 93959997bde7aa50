import { bigramParts, containsUnspaced } from '../bigrams.js';
import { ALSO_MAX_CHARACTERS, QUERY_MAX_CHARACTERS, QUERY_MAX_TERMS } from '../limits.js';
import { mixedCaseParts, normalizeText, takeHead } from '../text.js';
import type { Expression, Term } from './expression.js';
import { bareWordRuns, parseStructured } from './query-parser.js';
import { otherSpellings } from './spellings.js';
import { STOP_WORDS } from './stop-words.js';

export type Query = StructuredQuery | PlainQuery;

interface StructuredQuery {
  readonly kind: 'structured';
  readonly expression: Expression;
  /** The query to run if the expression matches nothing; set if the text looks like a sentence. */
  readonly plainFallback?: PlainQuery;
}

export interface PlainQuery {
  readonly kind: 'plain';
  readonly words: readonly string[];
  /** The known alternative spellings of its words to use; default all. */
  readonly spellings?: readonly string[];
}

/**
 * Parses the text of a query (docs/specification.md, "Query syntax"). A query is structured if it uses
 * a double-quoted phrase, an upper-case AND, OR or NOT, parentheses or a trailing `*`, parses as in
 * FTS5 and stays within the limits. Everything else is plain, a list of words. Never fails.
 */
export function readQuery(text: string): Query {
  const mayBeStructured = text.length <= QUERY_MAX_CHARACTERS;
  const expression = mayBeStructured ? parseStructured(text) : undefined;
  if (expression === undefined) return readPlain(text);
  if (!isSentence(text)) return { kind: 'structured', expression };
  return { kind: 'structured', expression, plainFallback: readPlain(text) };
}

/** Parses any text as plain words; operators and quotes have no meaning. */
export function readPlain(text: string): PlainQuery {
  return { kind: 'plain', words: splitWords(text).slice(0, QUERY_MAX_TERMS) };
}

/** The part of a question in other words that is used; empty if there is none. */
export function usedAlso(also = ''): string {
  return takeHead(also, ALSO_MAX_CHARACTERS).trim();
}

/** Adds the words of another text to a plain query, or to the plain fallback of an expression. */
export function addWords(query: Query, text: string): Query {
  if (query.kind === 'structured') {
    const { plainFallback } = query;
    return plainFallback === undefined
      ? query
      : { ...query, plainFallback: withPlainWords(plainFallback, text) };
  }
  return withPlainWords(query, text);
}

function withPlainWords(query: PlainQuery, text: string): PlainQuery {
  return { ...query, words: [...query.words, ...readPlain(text).words] };
}

/**
 * The words (runs of letters and digits), normalized, of the first {@link QUERY_MAX_CHARACTERS} characters of a text,
 * in order.
 */
export function splitWords(text: string): readonly string[] {
  const beginning = takeHead(text, QUERY_MAX_CHARACTERS).toWellFormed();
  return normalizeText(beginning).match(WORD) ?? [];
}

/** Matches chunks that contain all the words; undefined if there are none. */
export function allWords(words: readonly string[]): Expression | undefined {
  return words.length === 0 ? undefined : { kind: 'terms', terms: distinct(words).map(wordTerm) };
}

/** The words other than stop words, or all words if all are stop words; without duplicates. */
export function informativeWords(words: readonly string[]): readonly string[] {
  const informative = words.filter((word) => !isStopWord(word));
  return distinct(informative.length > 0 ? informative : words);
}

/**
 * Matches chunks that contain any of the {@link informativeWords}. Words of scripts without spaces are also searched by
 * their bigrams. Undefined if there are no words.
 */
export function anyInformativeWord(words: readonly string[]): Expression | undefined {
  return matchAny(wordTerms(informativeWords(words)));
}

/**
 * Like {@link anyInformativeWord}, but also finds parts of mixed-case words, a few words written as one, and other
 * spellings: `resolveProjectRoot` finds `project`, `project root` finds `projectRoot`, and `email` finds `e-mail`.
 */
export function anyWordOrPart(
  words: readonly string[],
  spellings: readonly string[] = informativeWords(words).flatMap(otherSpellings),
): Expression | undefined {
  const kept = informativeWords(words);
  return matchAny([...wordTerms(kept), ...partTerms(kept, [...joinedWords(words), ...spellings])]);
}

function matchAny(terms: readonly Term[]): Expression | undefined {
  if (terms.length === 0) return undefined;
  return { kind: 'or', operands: terms.map((term) => ({ kind: 'terms', terms: [term] })) };
}

function wordTerms(words: readonly string[]): readonly Term[] {
  return [...words.map(wordTerm), ...bigramTerms(words)];
}

/** A combining mark belongs to the letter before it; marks alone do not form a word. */
const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu;

/**
 * Whether a structured text looks like a sentence: it has adjacent unquoted words and an unquoted stop word. Its author
 * emphasized an AND or quoted something (`docs/decisions/0013-sentences-that-quote.md`).
 */
function isSentence(text: string): boolean {
  const runs = bareWordRuns(text);
  return runs.some((run) => run.length > 1) && runs.flat().some(isWordOfSentences);
}

/** `from`, `if`, `in` … count as stop words here: they mark a sentence, not an expression. */
export function isWordOfSentences(word: string): boolean {
  return isStopWord(word) || ['from', 'if', 'in', 'is', 'of'].includes(word.toLowerCase());
}

function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase());
}

function wordTerm(text: string): Term {
  return { text, prefix: false, ...(containsUnspaced(text) && { inRun: 'too' }) };
}

/** At most {@link QUERY_MAX_TERMS} terms, in addition to the words themselves. */
function bigramTerms(words: readonly string[]): readonly Term[] {
  const known = new Set(words.map((word) => word.toLowerCase()));
  return distinct(words.flatMap(bigramParts))
    .filter((part) => !known.has(part.toLowerCase()) && !isStopWord(part))
    .slice(0, QUERY_MAX_TERMS)
    .map((text) => ({ text, prefix: false, ...(containsUnspaced(text) && { inRun: 'only' }) }));
}

/** The parts of mixed-case words, and other spellings of words. */
function partTerms(words: readonly string[], spellings: readonly string[]): readonly Term[] {
  const known = new Set(words.map((word) => word.toLowerCase()));
  const parts = words.filter(isMixedCase).flatMap(mixedCaseParts);
  return distinct([...parts, ...spellings])
    .filter((text) => !known.has(text.toLowerCase()) && !isStopWord(text))
    .slice(0, QUERY_MAX_TERMS)
    .map((text) => ({ text, prefix: false }));
}

/** Whether a word is a mixed-case identifier, not the name of a substance or unit: `projectRoot`, not `mRNAs`. */
export function isMixedCase(word: string): boolean {
  return /^\p{Ll}{3,}\p{Lu}|\p{Ll}{2}\p{Lu}\p{Ll}/u.test(word);
}

/** Queries with more words are not names. */
const JOINED_WORDS_MAX = 4;

/** For a short query, each run of informative words joined into one; `set-up` also finds `setup`. */
function joinedWords(words: readonly string[]): readonly string[] {
  const joinable = words.filter((word) => !isStopWord(word) || /^(?:on|off|up|out)$/i.test(word));
  const isName = joinable.length <= JOINED_WORDS_MAX && !joinable.some(containsUnspaced);
  return isName ? [...joinRuns(joinable), ...joinParts(words)] : joinParts(words);
}

/** `e-mail` as `email`, and `10,000` as `10000`. */
function joinParts(words: readonly string[]): readonly string[] {
  const pairs = words.slice(1).map((word, i) => [words[i] ?? '', word] as const);
  return pairs.filter((pair) => PARTS.test(pair.join(' '))).map((pair) => pair.join(''));
}

const PARTS = /^(?:(?:e|co|re|pre|non|sub|multi|anti|inter|micro) \p{L}{3,}|\d{1,3} \d{3})$/iu;

/** Joins every two adjacent words, and all of them. */
function joinRuns(words: readonly string[]): readonly string[] {
  return [...words.slice(1).map((word, i) => `${words[i]}${word}`), words.join('')];
}

function distinct(words: readonly string[]): readonly string[] {
  return [...new Map(words.map((word) => [word.toLowerCase(), word])).values()];
}
