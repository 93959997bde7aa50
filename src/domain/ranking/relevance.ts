import { bigramParts, containsUnspaced } from '../bigrams.js';
import type { Chunk } from '../chunks/chunk.js';
import { folded } from '../folding.js';
import { DEFAULT_RELEVANCE_FLOOR } from '../limits.js';
import { informativeWords, type PlainQuery, type Query } from '../query/query.js';
import { otherSpellings } from '../query/spellings.js';
import { isAscii } from '../text.js';
import type { ScoredChunk } from './scored-chunk.js';

/**
 * How likely a chunk is to answer a query: a number from 0 to 1 that is comparable across queries and projects, unlike
 * BM25 and merged scores (measured in docs/quality.md, "Relevance").
 *
 * Cosines are on the scale of the reference model. Words count by coverage: the share of the query's informative words
 * that the chunk contains, weighted by rarity; a word that occurs nowhere counts most. A cosine of .40 with a coverage
 * of .40 gives .5. Full coverage acts like a cosine .21 higher, no coverage like one .14 lower. A chunk that matches a
 * structured query has full coverage. A missing vector counts as a cosine of .25.
 */
export function relevanceTo(query: Query, weightOf: WordWeight = () => 1): Rate {
  const coverage = coverageFor(query, weightOf);
  return (scored) =>
    calibrated(comparableCosine(scored) + COVERAGE_WEIGHT * (coverage(scored) - EVEN_COVERAGE));
}

/** The weight of a word, above 0. */
export type WordWeight = (word: string) => number;

export type Rate = (scored: Rated) => number;

type Rated = Pick<ScoredChunk, 'cosine' | 'referenceCosine'> & {
  readonly chunk: Pick<Chunk, 'heading' | 'content'>;
};

/**
 * Adds the relevance of each chunk that has a vector. If the order of the list is more accurate than single relevances,
 * as with merged scores, no chunk is rated more than {@link EQUAL_RELEVANCE} below one that follows it.
 */
export function withRelevance(
  ranked: readonly ScoredChunk[],
  { rate, order }: { readonly rate: Rate; readonly order: 'followed' | 'ignored' },
): readonly ScoredChunk[] {
  let behind = 0;
  return ranked
    .toReversed()
    .map((scored) => {
      if (scored.cosine === undefined) return scored;
      const own = rate(scored);
      if (order === 'ignored') return { ...scored, relevance: own };
      const relevance = Math.max(own, behind - EQUAL_RELEVANCE);
      behind = Math.max(behind, relevance);
      return { ...scored, relevance };
    })
    .toReversed();
}

/** Smaller differences in relevance are meaningless. */
export const EQUAL_RELEVANCE = 0.05;

/** A larger difference between two neighbours is a gap: the results after it are much weaker. */
export const RELEVANCE_GAP = 0.2;

/**
 * The results worth showing: those with a relevance of at least {@link DEFAULT_RELEVANCE_FLOOR} and at least a fixed
 * share of the best one's. Keeps results of unknown relevance, and the order.
 */
export function relevantAmong<T>(
  results: readonly T[],
  relevanceOf: (result: T) => number | undefined,
): readonly T[] {
  const relevances = results.map(relevanceOf);
  const best = Math.max(0, ...relevances.map((relevance = 0) => relevance));
  const limit = Math.max(DEFAULT_RELEVANCE_FLOOR, RELATIVE_FLOOR * best);
  return results.filter((_, i) => (relevances[i] ?? 1) >= limit);
}

/** Whether all results are probably irrelevant; false if the relevance of any is unknown. */
export function isDoubtful(
  results: readonly { readonly relevance?: number | undefined }[],
): boolean {
  return results.length > 0 && results.every(({ relevance = 1 }) => relevance < EVEN_ODDS);
}

/** A request that may ask for weak results too. */
interface Wish {
  readonly all?: boolean | undefined;
  readonly minRelevance?: number | undefined;
}

/** The results to show in an answer: all of them if requested, else those of {@link shownAmong}. */
export function shownFor<T extends { readonly relevance?: number }>(
  results: readonly T[],
  { all, minRelevance }: Wish,
): readonly T[] {
  return all === true || minRelevance !== undefined ? results : shownAmong(results);
}

/**
 * The results shown to people and agents: those worth showing or, if probably none is an answer, the closest few. Keeps
 * the order.
 */
export function shownAmong<T extends { readonly relevance?: number }>(
  results: readonly T[],
): readonly T[] {
  if (!isDoubtful(results)) return relevantAmong(results, ({ relevance }) => relevance);
  const byRelevance = results.toSorted((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0));
  const closest = new Set(byRelevance.slice(0, CLOSEST_RESULTS));
  return results.filter((result) => closest.has(result));
}

export const CLOSEST_RESULTS = 3;

const RELATIVE_FLOOR = 0.3;
/** From this value on, a result is probably relevant. */
export const EVEN_ODDS = 0.5;

/** The cosine at which a chunk without common words has a relevance of 0.5. */
const EVEN_COSINE = 0.4;
const SCALE = 0.05;
/** Scale above that cosine, so that chunks with all words of the query still differ in relevance. */
const SCALE_ABOVE = 0.12;
/** Chosen on people's questions, half of which were held out (docs/quality.md, "Relevance"). */
const COVERAGE_WEIGHT = 0.35;
const EVEN_COVERAGE = 0.4;
const ASSUMED_COSINE = 0.25;

function calibrated(cosine: number): number {
  const scale = cosine < EVEN_COSINE ? SCALE : SCALE_ABOVE;
  return 1 / (1 + Math.exp((EVEN_COSINE - cosine) / scale));
}

function comparableCosine({ cosine = ASSUMED_COSINE, referenceCosine = cosine }: Rated): number {
  return referenceCosine;
}

/** The words of a query that count for relevance, each in one form only. */
export function coveredWords(query: Query): readonly string[] {
  if (query.kind === 'structured') return [];
  const words = informativeWords(query.words).flatMap((word) => bigramParts(word));
  return [...new Map(words.map((word) => [stem(comparable(word)), word])).values()].slice(
    0,
    COVERED_WORDS_MAX,
  );
}

/** More words of a long text cost time and add little information. */
const COVERED_WORDS_MAX = 32;

/** The share of the query's information that a chunk contains, in any form and spelling of the words. */
function coverageFor(query: Query, weightOf: WordWeight): Rate {
  if (query.kind === 'structured') return () => 1;
  const words = coveredWords(query).map((word) => ({
    stems: [word, ...spellingsOf(word, query)].map((one) => stem(comparable(one))),
    weight: weightOf(word),
  }));
  const hasPhrase = words.some(({ stems }) => stems.some((one) => one.includes(' ')));
  const whole = words.reduce((sum, { weight }) => sum + weight, 0);
  return ({ chunk: { heading = '', content } }) => {
    const text = comparable(`${heading}\n${content}`);
    const plain = hasPhrase ? spaced(text) : text;
    const isCovered = (stem: string) => occurs(stem, stem.includes(' ') ? plain : text);
    const covered = words.filter(({ stems }) => stems.some(isCovered));
    return covered.reduce((sum, { weight }) => sum + weight, 0) / (whole || 1);
  };
}

/** Other spellings of a word, also as two words if the query has them. */
function spellingsOf(word: string, { spellings = [] }: PlainQuery): readonly string[] {
  const asTwo = spellings.filter((spelling) => spelling.replace(' ', '') === word);
  return [...otherSpellings(word), ...asTwo];
}

/** Puts one space between the words. */
function spaced(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ');
}

/** Removes case, accents and invisible characters. */
function comparable(text: string): string {
  const plain = isAscii(text) ? text : folded(text).normalize('NFKD').replace(UNCOMPARED, '');
  return plain.toLowerCase();
}

const UNCOMPARED = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;

/** A cheap stem; the exact one, as in the indexes, is not needed here. */
function stem(word: string): string {
  return word.replace(/(?<=.{3})(?:ations?|ments?|ings?|ies|ed|es|s|ly|e|y)$/, '');
}

/** Whether a word of the text begins with the stem; in scripts without spaces, it may occur anywhere. */
function occurs(stem: string, text: string): boolean {
  if (containsUnspaced(stem)) return text.includes(stem);
  for (let at = text.indexOf(stem); at !== -1; at = text.indexOf(stem, at + 1)) {
    const before = text.charAt(at - 1);
    if (!/[\p{L}\p{N}]/u.test(before) || containsUnspaced(before)) return true;
  }
  return false;
}
