import { CHARACTERS_PER_BUDGET_TOKEN, TOKENS_PER_WORD } from './limits.js';

/** Text in storable form: without byte-order mark, lone surrogates and NUL, which SQLite does not return unchanged. */
export function storableText(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .toWellFormed()
    .replaceAll('\0', '\uFFFD');
}

/** The last `length` UTF-16 units, one fewer if the cut would split a surrogate pair. */
export function takeTail(text: string, length: number): string {
  const tail = text.slice(-length);
  return /^[\uDC00-\uDFFF]/.test(tail) && tail.length < text.length ? tail.slice(1) : tail;
}

/** The first `length` UTF-16 units, one fewer if the cut would split a surrogate pair. */
export function takeHead(text: string, length: number): string {
  const head = text.slice(0, length);
  return head.length < text.length && /[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head;
}

/** False for a rule such as `---`, and for blank text. */
export function hasLetterOrDigit(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** 32-bit FNV-1a, for texts that nobody crafts to collide. */
export function checksum(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
/** Tokens of a text for chunking and compaction: word count × 1.3 (docs/specification.md, "Chunking"). */
export function estimateTokens(text: string): number {
  return countWords(text) * TOKENS_PER_WORD;
}

/** Tokens of a chunk for the budget of a search: ceil(UTF-16 length / 4). */
export function tokenCost(content: string): number {
  return Math.ceil(content.length / CHARACTERS_PER_BUDGET_TOKEN);
}

/** Counts words separated by white space, without allocating strings, because every text is counted several times. */
export function countWords(text: string): number {
  let words = 0;
  let isInWord = false;
  for (let index = 0; index < text.length; index += 1) {
    const wasInWord = isInWord;
    isInWord = !isSpace(text.charCodeAt(index));
    if (isInWord && !wasInWord) words += 1;
  }
  return words;
}

/** Whether `\s` matches a UTF-16 unit. */
function isSpace(unit: number): boolean {
  if (unit < 0xa0) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  return WIDER_SPACES.has(unit);
}

const WIDER_SPACES: ReadonlySet<number> = new Set([
  ...[0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
  ...[0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
]);

/**
 * A text as indexed and searched: in NFKC, which unifies full-width letters, ligatures and decomposed letters, and
 * without soft hyphens, zero-width and other invisible characters.
 */
export function normalizeText(text: string): string {
  return isAscii(text) ? text : text.replace(INVISIBLE, '').normalize('NFKC');
}

/** Whether normalization would leave the text unchanged. */
export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The parts of a word such as `auditLogs` or `HTTPServer`; the word itself if it has none. */
export function mixedCaseParts(word: string): readonly string[] {
  return word.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
}
