import { VECTOR_CANDIDATES } from '../../domain/limits.js';
import { anyInformativeWord, type Query } from '../../domain/query/query.js';
import { fuseByScore } from '../../domain/ranking/blending.js';
import { comparedCosine } from '../../domain/ranking/hype.js';
import { LIFTED_CANDIDATES, liftByNeighbours } from '../../domain/ranking/neighbour-lift.js';
import { fuseByRank } from '../../domain/ranking/reciprocal-rank-fusion.js';
import { withoutIrrelevant } from '../../domain/ranking/relevance.js';
import {
  distinctTexts,
  type ScoredChunk,
  weighByImportance,
} from '../../domain/ranking/scored-chunk.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { Fusion, HypeComparison } from '../../domain/settings.js';
import type { Project } from '../projects/project.js';
import {
  type NoQueryVector,
  QueryEmbedding,
  type QueryEmbeddingOptions,
} from './query-embedding.js';
import type { RetrievalRequest, Retrieved, Retriever } from './retriever.js';

interface HybridRetrieverOptions extends QueryEmbeddingOptions {
  readonly keyword: Retriever;
}

/**
 * Ranks keyword candidates by keywords and vectors (docs/specification.md, "Retrieval"). If there is no
 * vector to rank by, for any reason, it returns the keyword list unchanged.
 */
export class HybridRetriever implements Retriever {
  readonly #keyword: Retriever;
  readonly #embedding: QueryEmbedding;

  constructor(options: HybridRetrieverOptions) {
    this.#keyword = options.keyword;
    this.#embedding = new QueryEmbedding(options);
  }

  async retrieve(project: Project, request: RetrievalRequest): Promise<Retrieved> {
    const keyword = await this.#keyword.retrieve(project, request);
    const { query, counts } = keyword;
    const embedded = await this.#embedding.vectorFor({ ...request, query });
    if ('reason' in embedded) return { ...keyword, ...(await whyNoVector(project, embedded)) };
    const { vector } = embedded;
    const chunks = await withNearest(project, request, { keyword, vector });
    if (chunks.length === 0) return { ...keyword, modeReason: 'There were no candidates to rank.' };
    const candidates = await withCosines(project, chunks, { vector, ...request.settings });
    const withVector = candidates.filter(({ cosine }) => cosine !== undefined).length;
    if (withVector === 0) return { ...keyword, modeReason: await whyNoCosine(project) };
    const merged = await FUSIONS[request.fusion](project, { query, vector, candidates });
    const ranked = withoutIrrelevant(weighByImportance(merged, request.settings.importanceWeight), {
      query,
      floor: request.settings.relevanceFloor,
      min: request.minRelevance ?? 0,
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
        ...counts,
        withVector,
        ...(request.candidates === 'union' && { vectorOnly }),
        ...(belowRelevance > 0 && { belowRelevance }),
      },
    };
  }
}

/** A model that loads is not the cause where there is nothing to compare with. */
async function whyNoVector(
  { store }: Project,
  { reason, isModelLoading = false }: NoQueryVector,
): Promise<Pick<Retrieved, 'modeReason' | 'lacking'>> {
  if (!isModelLoading) return { modeReason: reason };
  const { complete, pending } = await store.vectors.status();
  if (complete > 0 || pending === 0) return { modeReason: reason, lacking: 'model' };
  return { modeReason: 'No chunk has a vector yet.', lacking: 'vectors' };
}

/** The keyword list; for a plain query, with the nearest vectors of the project if the request asks for them. */
async function withNearest(
  { store }: Project,
  { candidates, filter, texts }: RetrievalRequest,
  { keyword, vector }: { readonly keyword: Retrieved; readonly vector: Vector },
): Promise<readonly ScoredChunk[]> {
  const { query, ranked } = keyword;
  if (candidates === 'keyword' || query.kind === 'structured') return ranked;
  const nearest = await store.vectors.nearest(vector, filter, VECTOR_CANDIDATES);
  const known = new Set(ranked.map(({ chunk }) => chunk.id));
  const added = nearest.map(({ chunkId }) => chunkId).filter((id) => !known.has(id));
  const chunks = await store.chunks.getChunks(added);
  const all = [...ranked, ...chunks.map((chunk) => ({ chunk, score: 0 }))];
  return texts === 'distinct' ? distinctTexts(all) : all;
}

interface Comparison {
  readonly vector: Vector;
  readonly hypeComparison: HypeComparison;
}

/** Adds the cosine that each chunk is ranked by; chunks without a vector have none. */
async function withCosines(
  { store }: Project,
  chunks: readonly ScoredChunk[],
  { vector, hypeComparison }: Comparison,
): Promise<readonly ScoredChunk[]> {
  const ids = chunks.map(({ chunk }) => chunk.id);
  const content = await store.vectors.similarities(vector, ids);
  const questions =
    hypeComparison === 'off' ? undefined : await store.questionVectors.similarities(vector, ids);
  return chunks.map((scored) => {
    const { id } = scored.chunk;
    const cosines = { content: content.get(id), questions: questions?.get(id) };
    const cosine = comparedCosine(cosines, hypeComparison);
    return cosine === undefined ? scored : { ...scored, cosine };
  });
}

async function whyNoCosine({ store }: Project): Promise<string> {
  return (await store.comparisonProblem()) ?? 'No candidate has a vector yet.';
}

interface FusionInput {
  readonly query: Query;
  readonly vector: Vector;
  /** The keyword list in its order, followed by the candidates that only the vectors found. */
  readonly candidates: readonly ScoredChunk[];
}

/** Merges the keyword ranking and the vector ranking of the candidates. */
type Fuse = (project: Project, input: FusionInput) => Promise<readonly ScoredChunk[]>;

const FUSIONS: Record<Fusion, Fuse> = {
  rrf: async (_, { candidates }) => fuseByRank(candidates),
  blend: async (project, input) => {
    const { vectors } = project.store;
    const comparable = await withComparableBm25(project, input);
    const merged = fuseByScore(comparable, await vectors.cosineStatistics(input.vector));
    const first = merged.slice(0, LIFTED_CANDIDATES).map(({ chunk }) => chunk.id);
    return liftByNeighbours(merged, await vectors.vectorsOf(first));
  },
};

/**
 * The candidates with their BM25 scores for one expression: scores of an all-words search and of an
 * any-word search cannot be compared, and a candidate that only the vectors found has no score yet.
 */
async function withComparableBm25(
  { store }: Project,
  { query, candidates }: FusionInput,
): Promise<readonly ScoredChunk[]> {
  const expression = query.kind === 'plain' ? anyInformativeWord(query.words) : query.expression;
  const ids = candidates.map(({ chunk }) => chunk.id);
  const scores = expression && (await store.keywords.score(expression, ids));
  return candidates.map(({ bm25: _, ...candidate }) => {
    const bm25 = scores?.get(candidate.chunk.id);
    return bm25 === undefined ? candidate : { ...candidate, bm25 };
  });
}
