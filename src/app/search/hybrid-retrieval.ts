import { VECTOR_CANDIDATES } from '../../domain/limits.js';
import { anyWordOrPart } from '../../domain/query/query.js';
import {
  type CosineScale,
  onReferenceScale,
  REFERENCE_SCALE,
} from '../../domain/ranking/cosine-scale.js';
import { comparedCosine, fuseByRank, fuseByScore } from '../../domain/ranking/fusion.js';
import { withoutIrrelevant } from '../../domain/ranking/relevance.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import { statisticsOf, type Vector } from '../../domain/ranking/vector.js';
import type { Project } from '../projects/project.js';
import { retrieveByAnyWord } from './keyword-retrieval.js';
import type { QueryVectors } from './query-vectors.js';
import type { ModeReason, RetrievalRequest, Retrieve, Retrieved } from './retrieval.js';

/**
 * Ranks the keyword candidates by keywords and vectors (docs/specification.md, "Retrieval"). If there is no
 * vector to rank by, for any reason, the keyword list stays as it is.
 */
export function hybridRetrieval(queryVectors: QueryVectors): Retrieve {
  return async (project, request) => {
    const keyword = await retrieveByAnyWord(project, request);
    const embedded = await queryVectors.vectorFor({ ...request, query: keyword.query });
    return 'vector' in embedded
      ? rankedByVector({ ...project, request, keyword, ...embedded })
      : { ...keyword, ...embedded };
  };
}

interface Ranking extends Project {
  readonly request: RetrievalRequest;
  readonly keyword: Retrieved;
  readonly vector: Vector;
  readonly scale: CosineScale;
}

async function rankedByVector(ranking: Ranking): Promise<Retrieved> {
  const { request, keyword } = ranking;
  const { query } = keyword;
  const chunks = await withNearest(ranking);
  if (chunks.length === 0) return { ...keyword, modeReason: 'There were no candidates to rank.' };
  const candidates = await withCosines(ranking, chunks);
  const withVector = candidates.filter(({ cosine }) => cosine !== undefined).length;
  if (withVector === 0) return { ...keyword, ...(await whyNoCosine(ranking)) };
  const merged = await FUSIONS[request.fusion](ranking, candidates);
  const ranked = withoutIrrelevant(merged, {
    query,
    floor: request.settings.relevanceFloor,
    min: request.minRelevance,
  });
  const belowRelevance = merged.length - ranked.length;
  const vectorOnly = chunks.length - keyword.ranked.length;
  return {
    query,
    ranked,
    mode: 'hybrid',
    modeReason: 'Candidates were ranked by keywords and by vectors.',
    fusion: request.fusion,
    counts: {
      ...keyword.counts,
      withVector,
      ...(request.candidates === 'union' && { vectorOnly }),
      ...(belowRelevance > 0 && { belowRelevance }),
    },
  };
}

/** The keyword list; for a plain query, with the nearest vectors of the project if the request asks for them. */
async function withNearest(ranking: Ranking): Promise<readonly ScoredChunk[]> {
  const { store, request, keyword, vector } = ranking;
  const { query, ranked } = keyword;
  if (request.candidates === 'keyword' || query.kind === 'structured') return ranked;
  const nearest = await store.vectors.nearest(vector, request.filter, VECTOR_CANDIDATES);
  const known = new Set(ranked.map(({ chunk }) => chunk.id));
  const added = nearest.map(({ chunkId }) => chunkId).filter((id) => !known.has(id));
  const chunks = await store.chunks.getChunks(added);
  return [...ranked, ...chunks.map((chunk) => ({ chunk, score: 0 }))];
}

/** Adds the cosine that each chunk is ranked by; chunks without a vector have none. */
async function withCosines(
  { store, vector, scale }: Ranking,
  chunks: readonly ScoredChunk[],
): Promise<readonly ScoredChunk[]> {
  const ids = chunks.map(({ chunk }) => chunk.id);
  const content = await store.vectors.similarities('content', vector, ids);
  const questions = await store.vectors.similarities('questions', vector, ids);
  return chunks.map((scored) => {
    const { id } = scored.chunk;
    const cosines = { content: content.get(id), questions: questions.get(id) };
    const cosine = comparedCosine(cosines);
    if (cosine === undefined) return scored;
    if (scale === REFERENCE_SCALE) return { ...scored, cosine };
    return { ...scored, cosine, referenceCosine: onReferenceScale(cosine, scale) };
  });
}

async function whyNoCosine({ store }: Project): Promise<ModeReason> {
  const { problem } = await store.vectors.status('content');
  if (problem !== undefined) return { modeReason: problem };
  return { modeReason: 'No candidate has a vector yet.', lacksVectors: true };
}

/**
 * Merges the keyword ranking and the vector ranking.
 * @param candidates the keyword list in its order, followed by the candidates that only the vectors found
 */
type Fuse = (ranking: Ranking, candidates: readonly ScoredChunk[]) => Promise<typeof candidates>;

const FUSIONS: Readonly<Record<RetrievalRequest['fusion'], Fuse>> = {
  rrf: async (_, candidates) => fuseByRank(candidates),
  blend: async (ranking, candidates) => {
    const { vectors } = ranking.store;
    const sample = await vectors.similarities('content', ranking.vector, 'sample');
    return fuseByScore(await withBm25(ranking, candidates), statisticsOf([...sample.values()]));
  },
};

/** The candidates that only the vectors found get the BM25 score that they would have in the keyword list. */
async function withBm25(
  { store, keyword: { query } }: Ranking,
  candidates: readonly ScoredChunk[],
): Promise<readonly ScoredChunk[]> {
  const unscored = candidates.flatMap(({ bm25, chunk }) => (bm25 === undefined ? chunk.id : []));
  const expression = query.kind === 'plain' ? anyWordOrPart(query.words) : undefined;
  if (expression === undefined || unscored.length === 0) return candidates;
  const filter = { sourceTypes: 'all', chunkIds: unscored } as const;
  const asked = { expression, filter, limit: unscored.length, names: 'counted' } as const;
  const hits = await store.keywords.search(asked);
  const scores = new Map(hits.map(({ chunk, score }) => [chunk.id, score]));
  return candidates.map((candidate) => {
    const bm25 = candidate.bm25 ?? scores.get(candidate.chunk.id);
    return bm25 === undefined ? candidate : { ...candidate, bm25 };
  });
}
