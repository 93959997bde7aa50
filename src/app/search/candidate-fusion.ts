import { anyInformativeWord, type Query } from '../../domain/query/query.js';
import { fuseByScore } from '../../domain/ranking/blending.js';
import { LIFTED_CANDIDATES, liftByNeighbours } from '../../domain/ranking/neighbour-lift.js';
import { fuseByRank } from '../../domain/ranking/reciprocal-rank-fusion.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { Fusion } from '../../domain/settings.js';
import type { Project } from '../projects/project.js';

export interface FusionInput {
  readonly query: Query;
  readonly vector: Vector;
  /** The keyword list in its order, followed by the candidates that only the vectors found. */
  readonly candidates: readonly ScoredChunk[];
}

/** Merges the keyword ranking and the vector ranking of the candidates. */
export function fuseCandidates(
  fusion: Fusion,
  project: Project,
  input: FusionInput,
): Promise<readonly ScoredChunk[]> {
  return FUSIONS[fusion](project, input);
}

type Fuse = (project: Project, input: FusionInput) => Promise<readonly ScoredChunk[]>;

const FUSIONS: Record<Fusion, Fuse> = {
  rrf: async (_, { candidates }) => fuseByRank(candidates),
  blend: async (project, input) =>
    lifted(
      project,
      fuseByScore(
        await withComparableBm25(project, input),
        await project.store.vectors.cosineStatistics(input.vector),
      ),
    ),
};

async function lifted(
  project: Project,
  ranked: readonly ScoredChunk[],
): Promise<readonly ScoredChunk[]> {
  const ids = ranked.slice(0, LIFTED_CANDIDATES).map(({ chunk }) => chunk.id);
  return liftByNeighbours(ranked, await project.store.vectors.vectorsOf(ids));
}

/**
 * The candidates with their BM25 scores for one expression: scores of an all-words search and of an
 * any-word search cannot be compared, and a candidate that only the vectors found has no score yet.
 */
async function withComparableBm25(
  project: Project,
  { query, candidates }: FusionInput,
): Promise<readonly ScoredChunk[]> {
  const comparable = await bm25Of(project, query, candidates);
  return candidates.map(({ bm25: _, ...candidate }) => {
    const bm25 = comparable.get(candidate.chunk.id);
    return bm25 === undefined ? candidate : { ...candidate, bm25 };
  });
}

async function bm25Of(
  project: Project,
  query: Query,
  candidates: readonly ScoredChunk[],
): Promise<ReadonlyMap<string, number>> {
  const expression = query.kind === 'plain' ? anyInformativeWord(query.words) : query.expression;
  if (expression === undefined) return new Map();
  const ids = candidates.map(({ chunk }) => chunk.id);
  return project.store.keywords.score(expression, ids);
}
