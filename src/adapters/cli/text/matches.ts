/**
 * Marks the words of a text that a query asked for. The index compares stems, so `migrations` is marked
 * for `migration`: a word counts if it shares most of its beginning with a term.
 */
export function marked(
  text: string,
  terms: readonly string[],
  mark: (word: string) => string,
): string {
  const wanted = wordsOf(terms);
  return wanted.length === 0
    ? text
    : text.replace(WORD, (word) => (matches(word, wanted) ? mark(word) : word));
}

/** Where the first word that a query asked for begins; 0 if there is none. */
export function firstMatch(text: string, terms: readonly string[]): number {
  const wanted = wordsOf(terms);
  for (const { 0: word, index } of text.matchAll(WORD)) if (matches(word, wanted)) return index;
  return 0;
}

/** Chinese, Japanese and Korean are written without spaces: there each character is a word. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}]+/gu;

function wordsOf(terms: readonly string[]): readonly string[] {
  return terms.flatMap((term) => folded(term).match(WORD) ?? []);
}

function matches(word: string, wanted: readonly string[]): boolean {
  const own = folded(word);
  return wanted.some((term) => own === term || haveOneStem(own, term));
}

function haveOneStem(a: string, b: string): boolean {
  const needed = Math.max(MIN_STEM, Math.ceil(0.7 * Math.max(a.length, b.length)));
  return a.slice(0, needed) === b.slice(0, needed) && Math.min(a.length, b.length) >= needed;
}

const MIN_STEM = 4;

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase();
}
