import { RRF_K } from '../limits.js';
import { bestFirst, type ScoredChunk } from './scored-chunk.js';

/**
 * Merges by reciprocal ranks: 1/(60 + keyword rank) + 1/(60 + cosine rank), highest first
 * (docs/specification.md, "Ranking and fusion"; Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion
 * outperforms Condorcet and individual Rank Learning Methods", 2009). A candidate without a vector
 * takes its keyword rank in the cosine list too, so that text whose vector is not computed yet is not
 * buried (`docs/decisions/0011-missing-vectors-in-rrf.md`). A candidate that only the vectors found
 * takes the keyword rank after the last candidate. Equal scores are ordered like `candidates`, whose order
 * is that of the keyword list; equal cosines too.
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

/** Adds the rank among the candidates that have a cosine, without changing the order. */
export function withVectorRanks(candidates: readonly ScoredChunk[]): readonly ScoredChunk[] {
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
