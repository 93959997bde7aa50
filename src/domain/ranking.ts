import { RRF_K } from './limits.js';

/** What the lists say of one candidate; ranks count from 1. */
export interface Candidate {
  readonly id: string;
  /** Absent for a candidate that only the vectors found. */
  readonly keywordRank?: number;
  /** BM25: negative, lower is better. */
  readonly keywordScore?: number;
  /** Absent for a candidate without a vector. */
  readonly cosine?: number;
}

export interface RankedCandidate extends Candidate {
  readonly vectorRank?: number;
  /** Higher is better. */
  readonly score: number;
}

/**
 * Merges by reciprocal ranks: 1/(60 + keyword rank) + 1/(60 + cosine rank), highest first
 * (specification, "Retrieval pipeline"; Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion
 * outperforms Condorcet and individual Rank Learning Methods", 2009). A candidate that is missing in
 * a list has the rank after the last candidate there. Equal scores and equal cosines keep the order
 * of `candidates`, which is that of the keyword list.
 */
export function fuseByRank(candidates: readonly Candidate[]): readonly RankedCandidate[] {
  const last = candidates.length + 1;
  return byScore(
    withVectorRanks(candidates).map((candidate) => ({
      ...candidate,
      score: reciprocal(candidate.keywordRank ?? last) + reciprocal(candidate.vectorRank ?? last),
    })),
  );
}

function reciprocal(rank: number): number {
  return 1 / (RRF_K + rank);
}

/** Weight of the cosine in the blend; chosen by cross-validation (`docs/decisions/`). */
const COSINE_WEIGHT = 0.5;

/**
 * Merges by scores: the weighted sum of cosine and BM25, each divided by the best of its list, highest
 * first (Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", 2022).
 * A score that is missing or of the wrong sign counts nothing. Ties as in {@link fuseByRank}.
 */
export function fuseByScore(candidates: readonly Candidate[]): readonly RankedCandidate[] {
  const bestCosine = Math.max(0, ...candidates.map((candidate) => candidate.cosine ?? 0));
  const bestKeyword = Math.max(0, ...candidates.map((candidate) => -(candidate.keywordScore ?? 0)));
  return byScore(
    withVectorRanks(candidates).map((candidate) => ({
      ...candidate,
      score:
        COSINE_WEIGHT * share(candidate.cosine ?? 0, bestCosine) +
        (1 - COSINE_WEIGHT) * share(-(candidate.keywordScore ?? 0), bestKeyword),
    })),
  );
}

function share(score: number, best: number): number {
  return best > 0 ? Math.max(0, score) / best : 0;
}

function withVectorRanks(
  candidates: readonly Candidate[],
): readonly (Candidate & { readonly vectorRank?: number })[] {
  const ranks = new Map(
    candidates
      .filter((candidate) => candidate.cosine !== undefined)
      .toSorted((a, b) => (b.cosine ?? 0) - (a.cosine ?? 0))
      .map((candidate, index) => [candidate.id, index + 1]),
  );
  return candidates.map((candidate) => {
    const vectorRank = ranks.get(candidate.id);
    return vectorRank === undefined ? candidate : { ...candidate, vectorRank };
  });
}

function byScore(ranked: readonly RankedCandidate[]): readonly RankedCandidate[] {
  return ranked.toSorted((a, b) => b.score - a.score);
}
