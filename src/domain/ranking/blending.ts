import { bestFirst, withVectorRanks } from './reciprocal-rank-fusion.js';
import type { ScoredChunk } from './scored-chunk.js';

/** How a query's cosines lie over the vectors of the whole project. */
export interface CosineStatistics {
  readonly mean: number;
  /** Population standard deviation. */
  readonly deviation: number;
}

/**
 * Merges by scores, highest first: b/B + w·z (`docs/decisions/0008-blend.md` for the measurements;
 * Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", 2022, for the idea).
 *
 * - b is the candidate's BM25; B the mean of b over the candidates of the keyword list.
 *   For the best result a candidate that only the vectors found brings its BM25 too.
 * - z says how far the cosine stands out of the project: (cosine − mean) / deviation.
 * - w is 0.54, less where the two lists disagree on the keyword candidates: then the vectors are weak.
 *
 * A candidate without a vector gets the z that its b suggests. Scores have no bound. They do not
 * change when all BM25 scores are scaled, nor, but for a tiny deviation, when all cosines are. A candidate that
 * is better in one list and not worse in the other is never ranked lower. Ties as in `fuseByRank`.
 */
export function fuseByScore(
  candidates: readonly ScoredChunk[],
  statistics: CosineStatistics,
): readonly ScoredChunk[] {
  const fromKeywords = candidates.filter(({ keywordRank }) => keywordRank !== undefined);
  const scale = mean(fromKeywords.map(relevanceOf));
  const weight = VECTOR_WEIGHT * weightFactor(agreement(fromKeywords));
  const zScoreOf = zScores(candidates, statistics);
  return bestFirst(
    withVectorRanks(candidates).map((candidate) => ({
      ...candidate,
      score:
        (scale > 0 ? relevanceOf(candidate) / scale : 0) +
        weight * (zScoreOf.get(candidate.chunk.id) ?? 0),
    })),
  );
}

/** Chosen by leaving one collection out at a time. */
const VECTOR_WEIGHT = 0.54;
/** Keeps vectors that lie close together from counting for everything. */
const SMALLEST_DEVIATION = 0.03;
/** How much of the keyword list's opinion a missing vector inherits. */
const SUGGESTED_SHARE = 0.5;

function relevanceOf({ relevance = 0 }: ScoredChunk): number {
  return Math.max(0, relevance);
}

/** Full trust from an agreement of .37 on, as sound vectors mostly have it; never less than .45. */
function weightFactor(agreement: number): number {
  return Math.min(1, 0.45 + 1.5 * Math.max(0, agreement));
}

/** Spearman's rank correlation of BM25 and cosine over the candidates that have both; 1 where they are too few to tell. */
function agreement(candidates: readonly ScoredChunk[]): number {
  const both = candidates.filter(({ cosine }) => cosine !== undefined);
  if (both.length < 3) return 1;
  const a = fractionalRanks(both.map(relevanceOf));
  const b = fractionalRanks(both.map(({ cosine = 0 }) => cosine));
  const [meanA, meanB] = [mean(a), mean(b)];
  const products = a.map((rank, i) => (rank - meanA) * ((b[i] ?? 0) - meanB));
  const correlation = mean(products) / (deviationOf(a) * deviationOf(b));
  return Number.isFinite(correlation) ? correlation : 1;
}

/** Ranks from the lowest value; equal values share the mean of theirs. */
function fractionalRanks(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2);
}

/** How far each candidate stands out by its vector, or by what its BM25 suggests. */
function zScores(
  candidates: readonly ScoredChunk[],
  statistics: CosineStatistics,
): ReadonlyMap<string, number> {
  const deviation = Math.max(statistics.deviation, SMALLEST_DEVIATION);
  const zOf = (cosine: number) => (cosine - statistics.mean) / deviation;
  const measured = candidates.filter(({ cosine }) => cosine !== undefined);
  const z = measured.map(({ cosine = 0 }) => zOf(cosine));
  const b = measured.map(relevanceOf);
  const [meanZ, meanB] = [mean(z), mean(b)];
  const slope = (SUGGESTED_SHARE * deviationOf(z)) / (deviationOf(b) || Number.POSITIVE_INFINITY);
  const suggested = (candidate: ScoredChunk) => meanZ + slope * (relevanceOf(candidate) - meanB);
  return new Map(
    candidates.map((candidate) => [
      candidate.chunk.id,
      candidate.cosine === undefined ? suggested(candidate) : zOf(candidate.cosine),
    ]),
  );
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviationOf(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
}
