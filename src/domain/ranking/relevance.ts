import { DEFAULT_RELEVANCE_FLOOR } from '../limits.js';
import type { Query } from '../query/query.js';
import { type CoveredText, coverageFor, type WordWeight } from './coverage.js';
import type { ScoredChunk } from './scored-chunk.js';

/**
 * How likely a chunk is to answer a query: a number from 0 to 1 that is comparable across queries and projects, unlike
 * BM25 and merged scores (measured in docs/quality.md, "Relevance").
 *
 * Cosines are on the scale of the reference model. Words count by coverage: the share of the query's informative words
 * that the chunk contains, weighted by rarity; a word that occurs nowhere counts most. A cosine of .49 with a coverage
 * of .40 gives .5. Full coverage acts like a cosine .21 higher, no coverage like one .14 lower. A chunk that matches a
 * structured query has full coverage. A missing vector counts as a cosine of .29.
 */
export function relevanceTo(query: Query, weightOf: WordWeight = () => 1): Rate {
  const coverage = coverageFor(query, weightOf);
  return (scored) =>
    calibrate(
      comparableCosine(scored) + COVERAGE_WEIGHT * (coverage(scored.chunk) - EVEN_COVERAGE),
    );
}

export type Rate = (scored: Rated) => number;

type Rated = Pick<ScoredChunk, 'cosine' | 'referenceCosine'> & {
  readonly chunk: CoveredText;
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

/** Says that results are probably not an answer; undefined if one of them may be. */
export function doubtSentence(
  results: readonly { readonly relevance?: number | undefined }[],
): string | undefined {
  if (!isDoubtful(results)) return undefined;
  return notAnAnswer(Math.max(...results.map(({ relevance = 0 }) => relevance)));
}

/** @param best the highest relevance of the results */
export function notAnAnswer(best: number): string {
  return `Probably no answer here: the best result has a relevance of ${best.toFixed(2)}.`;
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

/** The results shown to people and agents: those worth showing or, if probably none is an answer, the first few. */
export function shownAmong<T extends { readonly relevance?: number }>(
  results: readonly T[],
): readonly T[] {
  return isDoubtful(results)
    ? results.slice(0, CLOSEST_RESULTS)
    : relevantAmong(results, ({ relevance }) => relevance);
}

export const CLOSEST_RESULTS = 3;

const RELATIVE_FLOOR = 0.3;
/** From this value on, a result is probably relevant. */
export const EVEN_ODDS = 0.5;

/** The middle of the curve, where its slope changes. */
const MIDDLE_COSINE = 0.4;
const SCALE = 0.05;
/** Scale above that cosine, so that chunks with all words of the query still differ in relevance. */
const SCALE_ABOVE = 0.12;
/**
 * Maps values of the curve to relevances, in straight lines between these points. At {@link EVEN_ODDS}, four in five
 * questions with an answer pass, and one in eight without.
 */
const BENDS = [
  { from: 0.3, to: 0.3 },
  { from: 0.68, to: EVEN_ODDS },
  { from: 0.8, to: 0.8 },
] as const;
/** Chosen on people's questions, half of which were held out (docs/quality.md, "Relevance"). */
const COVERAGE_WEIGHT = 0.35;
const EVEN_COVERAGE = 0.4;
const ASSUMED_COSINE = 0.29;

function calibrate(cosine: number): number {
  const scale = cosine < MIDDLE_COSINE ? SCALE : SCALE_ABOVE;
  return bent(1 / (1 + Math.exp((MIDDLE_COSINE - cosine) / scale)));
}

function bent(value: number): number {
  const [low, even, high] = BENDS;
  if (value <= low.from || value >= high.from) return value;
  const [a, b] = value < even.from ? [low, even] : [even, high];
  return a.to + ((value - a.from) * (b.to - a.to)) / (b.from - a.from);
}

function comparableCosine({ cosine = ASSUMED_COSINE, referenceCosine = cosine }: Rated): number {
  return referenceCosine;
}
