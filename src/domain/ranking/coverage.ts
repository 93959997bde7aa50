import { bigramParts, containsUnspaced } from '../bigrams.js';
import type { Chunk } from '../chunks/chunk.js';
import { foldLetters } from '../folding.js';
import { informativeWords, type PlainQuery, type Query } from '../query/query.js';
import { otherSpellings } from '../query/spellings.js';
import { isAscii } from '../text.js';

/** How much a word says, above 0. */
export type WordWeight = (word: string) => number;

export type CoveredText = Pick<Chunk, 'heading' | 'content'>;

/** The share of the query's information that a chunk contains, in any form and spelling of the words. */
export function coverageFor(query: Query, weightOf: WordWeight): (text: CoveredText) => number {
  if (query.kind === 'structured') return () => 1;
  const words = coveredWords(query).map((word) => ({
    stems: [word, ...spellingsOf(word, query)].map((one) => stem(comparable(one))),
    weight: weightOf(word),
  }));
  const hasPhrase = words.some(({ stems }) => stems.some((one) => one.includes(' ')));
  const whole = words.reduce((sum, { weight }) => sum + weight, 0);
  return ({ heading = '', content }) => {
    const text = comparable(`${heading}\n${content}`);
    const plain = hasPhrase ? singleSpaces(text) : text;
    const isCovered = (stem: string) => occurs(stem, stem.includes(' ') ? plain : text);
    const covered = words.filter(({ stems }) => stems.some(isCovered));
    return covered.reduce((sum, { weight }) => sum + weight, 0) / (whole || 1);
  };
}

/** The words of a query that count for its relevance, each in one form only. */
export function coveredWords(query: Query): readonly string[] {
  if (query.kind === 'structured') return [];
  const words = informativeWords(query.words).flatMap((word) => bigramParts(word));
  return [...new Map(words.map((word) => [stem(comparable(word)), word])).values()].slice(
    0,
    COVERED_WORDS_MAX,
  );
}

/** More words of a long text add cost, and hardly any knowledge. */
const COVERED_WORDS_MAX = 32;

/** Other ways to write a word, also as two words where the query has them. */
function spellingsOf(word: string, { spellings = [] }: PlainQuery): readonly string[] {
  const asTwo = spellings.filter((spelling) => spelling.replace(' ', '') === word);
  return [...otherSpellings(word), ...asTwo];
}

/** Puts one space between the words. */
function singleSpaces(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ');
}

/** Removes case, accents and invisible characters. */
function comparable(text: string): string {
  const plain = isAscii(text) ? text : foldLetters(text).normalize('NFKD').replace(UNCOMPARED, '');
  return plain.toLowerCase();
}

const UNCOMPARED = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;

/** A cheap stem: evidence does not need the exact one, which the indexes compute. */
function stem(word: string): string {
  return word.replace(/(?<=.{3})(?:ations?|ments?|ings?|ies|ed|es|s|ly|e|y)$/, '');
}

/** Whether a word of the text begins with the stem; scripts without spaces have no beginnings of words. */
function occurs(stem: string, text: string): boolean {
  if (containsUnspaced(stem)) return text.includes(stem);
  for (let at = text.indexOf(stem); at !== -1; at = text.indexOf(stem, at + 1)) {
    const before = text.charAt(at - 1);
    if (!/[\p{L}\p{N}]/u.test(before) || containsUnspaced(before)) return true;
  }
  return false;
}
