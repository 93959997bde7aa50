import { RRF_K } from '../limits.js';
import type { ScoredChunk } from './scored-chunk.js';
import type { CosineStatistics } from './vector.js';

/**
 * Merges by reciprocal ranks: 1/(60 + keyword rank) + 1/(60 + cosine rank), highest first (docs/specification.md,
 * "Ranking and fusion"; Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank
 * Learning Methods", 2009). A candidate without a vector has its keyword rank in the cosine list too, so that text
 * still waiting for its vector is not buried (`docs/decisions/0011-missing-vectors-in-rrf.md`). Candidates found only
 * by their vectors have the keyword rank after the last candidate. Equal scores and equal cosines keep the order of
 * `candidates`, which is that of the keyword list.
 */
export function fuseByRank(candidates: readonly ScoredChunk[]): readonly ScoredChunk[] {
  const afterLast = candidates.length + 1;
  return bestFirst(
    withVectorRanks(candidates).map((candidate) => {
      const keywordRank = candidate.keywordRank ?? afterLast;
      const vectorRank = candidate.vectorRank ?? keywordRank;
      return { ...candidate, score: reciprocal(keywordRank) + reciprocal(vectorRank) };
    }),
  );
}

function reciprocal(rank: number): number {
  return 1 / (RRF_K + rank);
}

/**
 * Merges by score, highest first: b/B + w·z (docs/specification.md, "Ranking and fusion"; measurements in
 * `docs/decisions/0008-blend.md`; idea from Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid
 * Retrieval", 2022).
 *
 * - b is the candidate's BM25 score; B is the mean of b over the candidates of the keyword list. Callers should also
 *   set `bm25` of candidates found only by their vectors; a missing one counts as 0.
 * - z is the z-score of the cosine over the project: (cosine − mean) / deviation.
 * - w is 0.54, or less if the two lists disagree on the keyword candidates, a sign of weak vectors.
 *
 * A candidate without a vector gets a z estimated from its b. Scores are unbounded. They do not change when all BM25
 * scores are scaled, nor when all cosines are, unless the deviation is tiny. A candidate that is better in one list and
 * no worse in the other is never ranked lower. Ties as in `fuseByRank`.
 */
export function fuseByScore(
  candidates: readonly ScoredChunk[],
  statistics: CosineStatistics,
): readonly ScoredChunk[] {
  const fromKeywords = candidates.filter(({ keywordRank }) => keywordRank !== undefined);
  const scale = mean(fromKeywords.map(bm25Score));
  const weight = VECTOR_WEIGHT * weightFactor(agreement(fromKeywords));
  const zScoreOf = zScores(candidates, statistics);
  return bestFirst(
    withVectorRanks(candidates).map((candidate) => ({
      ...candidate,
      score:
        (scale > 0 ? bm25Score(candidate) / scale : 0) +
        weight * (zScoreOf.get(candidate.chunk.id) ?? 0),
    })),
  );
}

/** Chosen by leave-one-out cross-validation over the test collections. */
const VECTOR_WEIGHT = 0.54;
/** Lower bound of the deviation, so that nearly equal cosines do not decide everything. */
const MIN_DEVIATION = 0.03;
/** Assumed correlation of BM25 and cosine, for estimating missing z-scores. */
const ESTIMATE_CORRELATION = 0.5;

function bm25Score({ bm25 = 0 }: ScoredChunk): number {
  return Math.max(0, bm25);
}

/** 1 for an agreement of at least 0.37, which good vectors usually reach; never below 0.45. */
function weightFactor(agreement: number): number {
  return Math.min(1, 0.45 + 1.5 * Math.max(0, agreement));
}

/** Spearman's rank correlation of BM25 and cosine over the candidates with both; 1 if there are fewer than three. */
function agreement(candidates: readonly ScoredChunk[]): number {
  const both = candidates.filter(({ cosine }) => cosine !== undefined);
  if (both.length < 3) return 1;
  const a = fractionalRanks(both.map(bm25Score));
  const b = fractionalRanks(both.map(({ cosine = 0 }) => cosine));
  const meanB = mean(b);
  const products = a.map((rank, i) => rank * ((b[i] ?? 0) - meanB));
  const correlation = mean(products) / (standardDeviation(a) * standardDeviation(b));
  return Number.isFinite(correlation) ? correlation : 1;
}

/** Twice the ranks, counted from the lowest value; equal values share the mean of their ranks. */
function fractionalRanks(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return values.map((value) => sorted.indexOf(value) + sorted.lastIndexOf(value));
}

/** The z-score of each candidate's cosine, or an estimate from its BM25 score if it has no vector. */
function zScores(
  candidates: readonly ScoredChunk[],
  statistics: CosineStatistics,
): ReadonlyMap<string, number> {
  const deviation = Math.max(statistics.deviation, MIN_DEVIATION);
  const toZ = (cosine: number) => (cosine - statistics.mean) / deviation;
  const measured = candidates.filter(({ cosine }) => cosine !== undefined);
  const z = measured.map(({ cosine = 0 }) => toZ(cosine));
  const b = measured.map(bm25Score);
  const [meanZ, meanB] = [mean(z), mean(b)];
  const slope =
    (ESTIMATE_CORRELATION * standardDeviation(z)) /
    (standardDeviation(b) || Number.POSITIVE_INFINITY);
  const estimated = (candidate: ScoredChunk) => meanZ + slope * (bm25Score(candidate) - meanB);
  return new Map(
    candidates.map((candidate) => [
      candidate.chunk.id,
      candidate.cosine === undefined ? estimated(candidate) : toZ(candidate.cosine),
    ]),
  );
}

/** Sorted by score, highest first; equal scores keep their order. */
function bestFirst(ranked: readonly ScoredChunk[]): readonly ScoredChunk[] {
  return ranked.toSorted((a, b) => b.score - a.score);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function standardDeviation(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
}

/** Adds the rank among the candidates that have a cosine, without changing the order. */
function withVectorRanks(candidates: readonly ScoredChunk[]): readonly ScoredChunk[] {
  const ranks = new Map(
    candidates
      .filter((candidate) => candidate.cosine !== undefined)
      .toSorted((a, b) => (b.cosine ?? 0) - (a.cosine ?? 0))
      .map((candidate, index) => [candidate.chunk.id, index + 1]),
  );
  return candidates.map((candidate) => {
    const vectorRank = ranks.get(candidate.chunk.id);
    return vectorRank === undefined ? candidate : { ...candidate, vectorRank };
  });
}

/** The cosines of a query to the two vectors of a chunk; absent if the chunk has no such vector. */
interface ChunkCosines {
  readonly content?: number | undefined;
  readonly questions?: number | undefined;
}

/**
 * A query is usually closer to any question than to a text, even if the question asks something else. Without this
 * handicap, chunks with questions would outrank those still waiting for theirs (`docs/decisions/0009-hype.md`).
 */
const QUESTION_HANDICAP = 0.05;

/** The cosine used to rank a chunk (docs/specification.md, "HyPE"); undefined if it has no vector to compare. */
export function comparedCosine({ content, questions }: ChunkCosines): number | undefined {
  if (questions === undefined) return content;
  return Math.max(content ?? Number.NEGATIVE_INFINITY, questions - QUESTION_HANDICAP);
}
