import { VECTOR_CANDIDATES } from '../../domain/limits.js';
import { anyInformativeWord, anyWordOrPart } from '../../domain/query/query.js';
import {
  type CosineScale,
  onReferenceScale,
  REFERENCE_SCALE,
} from '../../domain/ranking/cosine-scale.js';
import { comparedCosine, fuseByRank, fuseByScore } from '../../domain/ranking/fusion.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import { NOTHING_TO_RANK, type Profile } from '../../domain/ranking/search.js';
import { cosineStatistics, type Vector } from '../../domain/ranking/vector.js';
import type { Project } from '../project.js';
import { retrieveByAnyWord, retrieveByStoredWords } from './keyword-retrieval.js';
import type { QueryVectors } from './query-vectors.js';
import type { ModeReason, RetrievalRequest, Retrieve, Retrieved } from './retrieval.js';

/**
 * Ranks the keyword candidates by keywords and vectors (docs/specification.md, "Retrieval"). If there is no vector to
 * rank by, for whatever reason, the keyword order stays: the keyword rank of each candidate counts in both lists.
 */
export function hybridRetrieval(queryVectors: QueryVectors): Retrieve {
  return async (project, request) => {
    const keyword = await KEYWORD_LISTS[request.profile](project, request);
    const embedded = await queryVectors.vectorFor({ ...request, query: keyword.query });
    return 'vector' in embedded
      ? rankedByVector({ ...project, request, keyword, ...embedded })
      : rankedByWords(request, keyword, embedded);
  };
}

const KEYWORD_LISTS: Readonly<Record<Profile, Retrieve>> = {
  specified: retrieveByStoredWords,
  reading: retrieveByAnyWord,
};

function rankedByWords(
  { fusion }: RetrievalRequest,
  keyword: Retrieved,
  why: ModeReason,
): Retrieved {
  const ranked =
    fusion === 'rrf'
      ? fuseByRank(keyword.ranked)
      : fuseByScore(keyword.ranked, { mean: 0, deviation: 0 });
  return { ...keyword, ...why, ranked };
}

interface Ranking extends Project {
  readonly request: RetrievalRequest;
  readonly keyword: Retrieved;
  readonly vector: Vector;
  /** The scale of the model's cosines; undefined if it is not measured. */
  readonly scale: CosineScale | undefined;
}

async function rankedByVector(ranking: Ranking): Promise<Retrieved> {
  const { request, keyword } = ranking;
  const { query } = keyword;
  const chunks = await withNearest(ranking);
  if (chunks.length === 0) return { ...keyword, ...(await whyNothing(ranking)) };
  const candidates = await withCosines(ranking, chunks);
  const withVector = candidates.filter(({ cosine }) => cosine !== undefined).length;
  if (withVector === 0) return rankedByWords(request, keyword, await whyNoCosine(ranking));
  const ranked = await FUSION_FUNCTIONS[request.fusion](ranking, candidates);
  const vectorOnly = chunks.length - keyword.ranked.length;
  return {
    query,
    match: keyword.match,
    ranked,
    mode: 'hybrid',
    modeReason: 'Candidates were ranked by keywords and by vectors.',
    fusion: request.fusion,
    ...(keyword.corrections !== undefined && { corrections: keyword.corrections }),
    ...(ranking.scale === undefined && { isUnscaled: true }),
    counts: {
      ...keyword.counts,
      withVector,
      ...(request.candidates === 'union' && { vectorOnly }),
    },
  };
}

/** The keyword list, extended by the project's nearest vectors if requested for a plain query with words. */
async function withNearest(ranking: Ranking): Promise<readonly ScoredChunk[]> {
  const { store, request, keyword, vector } = ranking;
  const { query, ranked } = keyword;
  if (request.candidates === 'keyword' || query.kind === 'structured') return ranked;
  if (query.words.length === 0) return [];
  const nearest = await store.vectors.nearest(vector, request.filter, VECTOR_CANDIDATES);
  const known = new Set(ranked.map(({ chunk }) => chunk.id));
  const added = nearest.map(({ chunkId }) => chunkId).filter((id) => !known.has(id));
  const chunks = await store.chunks.getChunks(added);
  return [...ranked, ...chunks.map((chunk) => ({ chunk, score: 0 }))];
}

/** Adds to each chunk the cosine by which it is ranked; chunks without a vector have none. */
async function withCosines(
  ranking: Ranking,
  chunks: readonly ScoredChunk[],
): Promise<readonly ScoredChunk[]> {
  const { scale } = ranking;
  const cosineOf = await cosinesTo(ranking, chunks);
  return chunks.map((scored) => {
    const cosine = cosineOf(scored.chunk.id);
    if (cosine === undefined) return scored;
    if (scale === undefined || scale === REFERENCE_SCALE) return { ...scored, cosine };
    return { ...scored, cosine, referenceCosine: onReferenceScale(cosine, scale) };
  });
}

/**
 * Returns the cosine of a chunk by its id. `specified` compares with the chunk's own vector alone; `reading` also with
 * its source's header and its questions.
 */
async function cosinesTo(
  { store: { vectors }, vector, request }: Ranking,
  chunks: readonly ScoredChunk[],
): Promise<(id: string) => number | undefined> {
  const ids = chunks.map(({ chunk }) => chunk.id);
  if (request.profile === 'specified') {
    const stored = await vectors.similarities('stored', vector, ids);
    return (id) => stored.get(id);
  }
  const content = await vectors.similarities('content', vector, ids);
  const questions = await vectors.similarities('questions', vector, ids);
  return (id) => comparedCosine({ content: content.get(id), questions: questions.get(id) });
}

/** Explains an empty result. While no chunk has a vector, the project may hold an answer in other words. */
async function whyNothing({ store }: Project): Promise<ModeReason> {
  const { complete, pending } = await store.vectors.status('stored');
  if (complete > 0 || pending === 0) return { modeReason: NOTHING_TO_RANK };
  return { modeReason: 'No chunk has a vector yet.', lacks: 'vectors' };
}

async function whyNoCosine({ store }: Project): Promise<ModeReason> {
  const { problem } = await store.vectors.status('stored');
  if (problem !== undefined) return { modeReason: problem };
  return { modeReason: 'No candidate has a vector yet.', lacks: 'vectors' };
}

/**
 * Merges the keyword ranking and the vector ranking.
 * @param candidates the keyword list in order, then the candidates found only by their vectors
 */
type Fuse = (ranking: Ranking, candidates: readonly ScoredChunk[]) => Promise<typeof candidates>;

const FUSION_FUNCTIONS: Readonly<Record<RetrievalRequest['fusion'], Fuse>> = {
  rrf: async (_, candidates) => fuseByRank(candidates),
  blend: async (ranking, candidates) => {
    const { vectors } = ranking.store;
    const compared = ranking.request.profile === 'specified' ? 'stored' : 'content';
    const sample = await vectors.similarities(compared, ranking.vector, 'sample');
    return fuseByScore(await withBm25(ranking, candidates), cosineStatistics([...sample.values()]));
  },
};

/** Gives candidates found only by their vectors the BM25 score that they would have in the keyword list. */
async function withBm25(
  { store, request: { profile }, keyword: { query } }: Ranking,
  candidates: readonly ScoredChunk[],
): Promise<readonly ScoredChunk[]> {
  const unscored = candidates.flatMap(({ bm25, chunk }) => (bm25 === undefined ? chunk.id : []));
  const { read, ...reach } = WORDS_OF_PROFILE[profile];
  const expression = query.kind === 'plain' ? read(query.words, query.spellings) : undefined;
  if (expression === undefined || unscored.length === 0) return candidates;
  const filter = { sourceTypes: 'all', chunkIds: unscored } as const;
  const hits = await store.keywords.search({
    expression,
    filter,
    limit: unscored.length,
    ...reach,
  });
  const scores = new Map(hits.map(({ chunk, score }) => [chunk.id, score]));
  return candidates.map((candidate) => {
    const bm25 = candidate.bm25 ?? scores.get(candidate.chunk.id);
    return bm25 === undefined ? candidate : { ...candidate, bm25 };
  });
}

const WORDS_OF_PROFILE = {
  specified: { read: anyInformativeWord, words: 'stored' },
  reading: { read: anyWordOrPart, names: 'counted' },
} as const;
