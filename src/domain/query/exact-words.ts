import { withoutUnspaced } from '../bigrams.js';
import type { Chunk } from '../chunks/chunk.js';
import { foldLetters } from '../folding.js';
import { QUERY_MAX_CHARACTERS } from '../limits.js';
import { isAscii, normalizeText, takeHead } from '../text.js';
import type { Expression } from './expression.js';
import { informativeWords, isMixedCase, splitWords } from './query.js';

/**
 * The exact words of a text: identifiers, file names, paths, variables, versions, dates and numbers. They contain `.`,
 * `_`, `-`, `/` or `:` between letters or digits, or a capital after a small letter, or end in a letter with `+` or
 * `#`, such as `C++`. In a query of few words, a single capital is exact too (`C`, not `A` or `I`). In a sentence,
 * compounds (`long-running`, `approve/reject`) are ordinary words. A text of many words has none.
 */
export function exactWords(query: string): readonly string[] {
  const text = normalizeText(takeHead(query, QUERY_MAX_CHARACTERS));
  const count = informativeWords(splitWords(text.replace(SIGNS_IN_NUMBERS, ''))).length;
  if (count > TEXT_WORDS) return [];
  const words = text.split(/[\s"'`“”‘’,;!?(){}[\]<>|*]/u).flatMap(splitParts);
  const wanted = words.filter((word) => {
    return count <= FEW_WORDS
      ? isExact(word) || /^[B-HJ-Z]$/.test(word)
      : isExact(word) && !isCompound(word);
  });
  return [...new Set(wanted)].slice(0, EXACT_WORDS_MAX);
}

/** Matches chunks that may contain one of the words: all of its parts, side by side. */
export function exactExpression(words: readonly string[]): Expression {
  const operands = words.map((word): Expression => {
    return { kind: 'terms', terms: [{ text: splitWords(word).join(' '), prefix: false }] };
  });
  return { kind: 'or', operands };
}

/** How many of the words occur literally in a chunk, or are the name of its file; ignores case. */
export function exactMatches(
  words: readonly string[],
  { sourceFile, heading = '', content }: ShownText,
): number {
  const finders = [content, heading].map(wordFinder);
  const occurs = (word: string) =>
    namesFile(word.toLowerCase(), sourceFile.toLowerCase()) || finders.some((find) => find(word));
  return words.filter(occurs).length;
}

/** Where the first literal occurrence of any of the words is in a text; undefined if there is none. */
export function exactPlace(text: string, words: readonly string[]): number | undefined {
  const places = words.map((word) => findWord(word, text)).filter((place) => place !== -1);
  return places.length === 0 ? undefined : Math.min(...places);
}

type ShownText = Pick<Chunk, 'sourceFile' | 'heading' | 'content'>;

/** A query with no more informative words is little more than an exact word. */
const FEW_WORDS = 3;
/** A text with more informative words only names things in passing. */
const TEXT_WORDS = 9;

/**
 * Whether a word with a hyphen, a slash or a capital is not an identifier: `long-running`, `GATA-3`, `approve/reject`,
 * `mRNAs`.
 */
function isCompound(word: string): boolean {
  if (!/\p{L}/u.test(word)) return false;
  const isJoined = /^[\p{L}\p{N}]+(?:[-/][\p{L}\p{N}]+)*$/u.test(word);
  return isJoined && !isMixedCase(word);
}

/** A query with more of them is pasted text. */
const EXACT_WORDS_MAX = 8;

/** A version or a date counts as one word. */
const SIGNS_IN_NUMBERS = /(?<=\p{N})[._/:-]+(?=\p{N})/gu;

/** A word, the words inside it between letters of scripts without spaces, and a version without its `v`. */
function splitParts(word: string): readonly string[] {
  const inRuns = withoutUnspaced(word);
  if (inRuns === word) {
    const whole = withoutEdges(word);
    return /^v(\d+(?:\.\d+)+)$/i.exec(whole) ?? [whole];
  }
  const inner = inRuns.split(' ').map((one) => withoutEdges(one).replace(/^[./~]+/, ''));
  return [withoutEdges(word), ...inner];
}

/** Removes punctuation around a word; `+` and `#` after a letter belong to the word. */
function withoutEdges(word: string): string {
  return word.replace(/^[^\p{L}\p{N}_./~@$#-]+/u, '').replace(SIGNS_AT_END, '$1');
}

const SIGNS_AT_END = /(?<![^\p{L}\p{N}_])((?<=\p{L})(?:\+{1,2}|#)(?![+#]))?[^\p{L}\p{N}_]*$/u;

function isExact(word: string): boolean {
  return (
    word.length <= 200 &&
    /[\p{L}\p{N}+#][._/:-]+[\p{L}\p{N}]|\p{Ll}\p{Lu}|_|^[./~].*\p{L}|\p{L}[+#]+\p{N}*$/u.test(
      word,
    ) &&
    /[\p{L}\p{N}]/u.test(word) &&
    !/^(?:\p{L}\.)+\p{L}$/u.test(word)
  );
}

/** Returns whether a text contains a word; marks and widths of letters do not matter. Folds the text at most once. */
function wordFinder(text: string): (word: string) => boolean {
  const isPlain = isAscii(text);
  let unmarkedText: string | undefined;
  return (word) => {
    if (findWord(word, text) !== -1) return true;
    if (isPlain && isAscii(word)) return false;
    unmarkedText ??= withoutMarks(text);
    return findWord(withoutMarks(word), unmarkedText) !== -1;
  };
}

function withoutMarks(text: string): string {
  return foldLetters(text).normalize('NFD').replace(/\p{M}/gu, '');
}

/** Whether a word is the path of a file, or the end of it, with or without extension. */
function namesFile(word: string, sourceFile: string): boolean {
  const names = [sourceFile, sourceFile.replace(/\.[^./]*$/, '')];
  return names.some((name) => name === word || name.endsWith(`/${word}`));
}

/** Finds a word, but not as a part of a longer one: `a_b` is not in `a_b_c`, but is in `a_b.c`. */
function findWord(word: string, text: string): number {
  const [wanted, searched] = [word.toLowerCase(), text.toLowerCase()];
  const isPart = NUMBER.test(wanted) ? isPartOfNumber : isPartOfWord;
  for (let at = searched.indexOf(wanted); at !== -1; at = searched.indexOf(wanted, at + 1)) {
    const after = at + wanted.length;
    const before = withoutUnspaced(searched.slice(Math.max(0, at - 2), at));
    if (!isPart(wanted, [before, withoutUnspaced(searched.slice(after, after + 2))])) return at;
  }
  return -1;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const NUMBER = /^\p{N}[^\p{L}]*$/u;

function isPartOfWord(word: string, [before, after]: readonly [string, string]): boolean {
  const isPartAfter = /[+#]$/.test(word) ? /^[+#]/ : AFTER_WORD;
  if (word.length === 1 && /^[+#]/.test(after)) return true;
  return /[\p{L}\p{N}_]$/u.test(before) || isPartAfter.test(after);
}

const AFTER_WORD = /^[\p{L}\p{N}_]/u;

/** `1.2.3` is part of `1.2.3.4` and `0.1.2.3`, but not of `v1.2.3` or `1.2.3-1.2.4`; a date is not part of a time. */
function isPartOfNumber(number: string, [before, after]: readonly [string, string]): boolean {
  if (/[\p{L}\p{N}_]$/u.test(before) && !/^(?:[^\p{L}\p{N}_])?v$/u.test(before)) return true;
  if (/^[\p{L}\p{N}_]/u.test(after) && !(DATE.test(number) && /^t\d/.test(after))) return true;
  const continues = (sign = ' ', digit = '') => number.includes(sign) && /\p{N}/u.test(digit);
  return continues(before[1], before[0]) || continues(after[0], after[1]);
}
