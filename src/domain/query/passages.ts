import { exactPlace, exactWords } from './exact-words.js';
import { informativeWords, isWordOfSentences, splitWords } from './query.js';
import { STOP_WORDS } from './stop-words.js';

/**
 * The words of a query to highlight in a text: all but stop words; `from`, `if`, `in` … only if there are no others.
 */
export function shownWords(query: string): readonly string[] {
  const words = informativeWords(splitWords(query)).filter(
    (word) => !STOP_WORDS.has(word.toLowerCase()),
  );
  const ofTheTopic = words.filter((word) => !isWordOfSentences(word));
  return ofTheTopic.length > 0 ? ofTheTopic : words;
}

/**
 * Where a text best shows why it was found: at the literal match of an exact word of the query, else where most query
 * words are close together; rare words count more. Undefined if it contains none.
 * @param among texts that show which words are rare, such as all results
 */
export function findPassage(
  text: string,
  query: string,
  among: readonly string[] = [text],
): number | undefined {
  const literal = exactPlace(text, exactWords(query));
  if (literal !== undefined) return literal;
  const found = shownWords(query).flatMap((word) => {
    const places = [...text.matchAll(wordPattern(word))].map(({ index }) => index);
    const weight = rarityAmong(word, among) / places.length;
    return places.map((at) => ({ word, at, weight }));
  });
  const starts = found.toSorted((a, b) => a.at - b.at);
  let best: { readonly at: number; readonly weight: number } | undefined;
  for (const [i, { at }] of starts.entries()) {
    const weights = new Map<string, number>();
    for (let next = i; next < starts.length; next += 1) {
      const start = starts[next];
      if (start === undefined || start.at >= at + PASSAGE) break;
      weights.set(start.word, start.weight);
    }
    const weight = [...weights.values()].reduce((sum, one) => sum + one, 0);
    const isCloser = weight === best?.weight && at < best.at + PASSAGE;
    if (weight > (best?.weight ?? 0) || isCloser) best = { at, weight };
  }
  return best?.at;
}

/** How rare a word is among texts. */
export function rarityAmong(word: string, texts: readonly string[]): number {
  const holding = texts.filter((text) => text.search(wordPattern(word)) !== -1).length;
  return rarity(holding, texts.length);
}

/** BM25's inverse document frequency: the fewer chunks contain a word, the more it says. */
export function rarity(holding: number, chunks: number): number {
  return Math.log(1 + (Math.max(0, chunks - holding) + 0.5) / (holding + 0.5));
}

/** Number of characters read at a glance. */
const PASSAGE = 200;

/**
 * Matches a word in any form. Like the index, which compares stems, it accepts words that begin with most of the wanted
 * word and are only a few letters longer. Chinese, Japanese and Korean words match anywhere.
 */
export function wordPattern(word: string): RegExp {
  if (/\p{Lo}/u.test(word)) return new RegExp(word, 'gu');
  const beginning = word.slice(0, Math.max(STEM_MIN, Math.ceil(0.7 * word.length)));
  const rest = word.length < STEM_MIN ? '' : '[\\p{L}\\p{N}]{0,4}';
  return new RegExp(`(?<![\\p{L}\\p{N}])${beginning}${rest}(?![\\p{L}\\p{N}])`, 'giu');
}

const STEM_MIN = 4;
