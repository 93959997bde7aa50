import { VECTOR_CANDIDATES } from '../../domain/limits.js';
import { distinctTexts } from '../../domain/ranking/distinct-texts.js';
import { comparedCosine } from '../../domain/ranking/hype.js';
import { weighByImportance } from '../../domain/ranking/importance.js';
import { withoutIrrelevant } from '../../domain/ranking/relevance.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { HypeComparison } from '../../domain/settings.js';
import type { Project } from '../projects/project.js';
import { type FusionInput, fuseCandidates } from './candidate-fusion.js';
import { QueryEmbedding, type QueryEmbeddingOptions } from './query-embedding.js';
import type { RetrievalRequest, Retrieved, Retriever } from './retriever.js';

export interface HybridRetrieverOptions extends QueryEmbeddingOptions {
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
    const embedded = await this.#embedding.vectorFor({ ...request, query: keyword.query });
    if ('reason' in embedded) {
      const { reason: modeReason, ...loading } = embedded;
      return { ...keyword, ...loading, modeReason };
    }
    const { vector } = embedded;
    const chunks = await candidatesOf(project, request, { keyword, vector });
    if (chunks.length === 0) return { ...keyword, modeReason: 'There were no candidates to rank.' };
    const cosines = await cosinesOf(project, vector, {
      ids: chunks.map(({ chunk }) => chunk.id),
      comparison: request.settings.hypeComparison,
    });
    if (cosines.size === 0) return { ...keyword, modeReason: await whyNoCosine(project) };
    const candidates = chunks.map((scored) => withCosine(scored, cosines.get(scored.chunk.id)));
    const input = { query: keyword.query, vector, candidates };
    const { ranked, belowRelevance } = await rank(project, request, input);
    const vectorOnly = chunks.length - keyword.ranked.length;
    return {
      query: keyword.query,
      ranked,
      mode: 'hybrid',
      modeReason: 'Candidates were ranked by keywords and by vectors.',
      fusion: request.fusion,
      counts: {
        ...keyword.counts,
        withVector: cosines.size,
        ...(request.candidates === 'union' && { vectorOnly }),
        ...(belowRelevance > 0 && { belowRelevance }),
      },
    };
  }
}

/** The keyword list; for a plain query, with the nearest vectors of the project if the request asks for them. */
async function candidatesOf(
  project: Project,
  { candidates, filter, texts }: RetrievalRequest,
  { keyword, vector }: { readonly keyword: Retrieved; readonly vector: Vector },
): Promise<readonly ScoredChunk[]> {
  const { query, ranked } = keyword;
  if (candidates === 'keyword' || query.kind === 'structured') return ranked;
  const nearest = await project.store.vectors.nearest(vector, filter, VECTOR_CANDIDATES);
  const known = new Set(ranked.map(({ chunk }) => chunk.id));
  const added = nearest.map(({ chunkId }) => chunkId).filter((id) => !known.has(id));
  const chunks = await project.store.chunks.getChunks(added);
  const all = [...ranked, ...chunks.map((chunk) => ({ chunk, score: 0 }))];
  return texts === 'distinct' ? distinctTexts(all) : all;
}

async function rank(project: Project, request: RetrievalRequest, input: FusionInput) {
  const { fusion, settings, minRelevance: min = 0 } = request;
  const merged = await fuseCandidates(fusion, project, input);
  const weighed = weighByImportance(merged, settings.importanceWeight);
  const limits = { query: input.query, floor: settings.relevanceFloor, min };
  const ranked = withoutIrrelevant(weighed, limits);
  return { ranked, belowRelevance: weighed.length - ranked.length };
}

/** The cosine that each chunk is ranked by; chunks without a vector are left out. */
async function cosinesOf(
  project: Project,
  query: Vector,
  { ids, comparison }: { readonly ids: readonly string[]; readonly comparison: HypeComparison },
): Promise<ReadonlyMap<string, number>> {
  const { vectors, questionVectors } = project.store;
  const content = await vectors.similarities(query, ids);
  const questions =
    comparison === 'off' ? NO_COSINES : await questionVectors.similarities(query, ids);
  return new Map(
    ids.flatMap((id) => {
      const cosines = { content: content.get(id), questions: questions.get(id) };
      const cosine = comparedCosine(cosines, comparison);
      return cosine === undefined ? [] : [[id, cosine]];
    }),
  );
}

async function whyNoCosine({ store }: Project): Promise<string> {
  return (await store.vectors.comparisonProblem()) ?? 'No candidate has a vector yet.';
}

const NO_COSINES: ReadonlyMap<string, number> = new Map();

function withCosine(scored: ScoredChunk, cosine?: number): ScoredChunk {
  return cosine === undefined ? scored : { ...scored, cosine };
}
