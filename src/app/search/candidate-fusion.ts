import { anyInformativeWord, type Query } from '../../domain/query/query.js';
import { fuseByScore } from '../../domain/ranking/blending.js';
import {
  type Candidate,
  fuseByRank,
  type RankedCandidate,
} from '../../domain/ranking/reciprocal-rank-fusion.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { Fusion } from '../../domain/settings.js';
import type { Project } from '../projects/project.js';

export interface FusionInput {
  readonly query: Query;
  readonly vector: Vector;
  /** In the order of the keyword list, then those that only the vectors found. */
  readonly candidates: readonly Candidate[];
}

/** Merges the keyword list and the vector list of a project's candidates. */
export function fuseCandidates(
  fusion: Fusion,
  project: Project,
  input: FusionInput,
): Promise<readonly RankedCandidate[]> {
  return FUSIONS[fusion](project, input);
}

type Fuse = (project: Project, input: FusionInput) => Promise<readonly RankedCandidate[]>;

const FUSIONS: Record<Fusion, Fuse> = {
  rrf: async (_, { candidates }) => fuseByRank(candidates),
  blend: async (project, { query, vector, candidates }) => {
    const scores = await comparableScores(project, query, candidates);
    const scored = candidates.map(({ keywordScore: _, ...candidate }) => {
      const keywordScore = scores.get(candidate.id);
      return keywordScore === undefined ? candidate : { ...candidate, keywordScore };
    });
    return fuseByScore(scored, await project.store.vectors.cosineStatistics(vector));
  },
};

/**
 * BM25 of one and the same expression for every candidate: the scores of "all words" and of "any
 * word" cannot be compared, and a candidate that only the vectors found has none yet.
 */
async function comparableScores(
  project: Project,
  query: Query,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<string, number>> {
  const expression = query.kind === 'plain' ? anyInformativeWord(query.words) : query.expression;
  if (expression === undefined) return new Map();
  const ids = candidates.map(({ id }) => id);
  return project.store.chunks.scoreKeyword(expression, ids);
}
