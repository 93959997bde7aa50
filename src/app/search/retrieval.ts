import {
  DEFAULT_MAX_RESULTS,
  DEFAULT_MAX_TOKENS,
  DEFAULT_RELEVANCE_FLOOR,
} from '../../domain/limits.js';
import { exactWords } from '../../domain/query/exact-words.js';
import type { Query } from '../../domain/query/query.js';
import type { Budget, Budgeted } from '../../domain/ranking/budget.js';
import { relevantAmong, withRelevance } from '../../domain/ranking/relevance.js';
import {
  distinctTexts,
  preferExact,
  preferSources,
  type ScoredChunk,
} from '../../domain/ranking/scored-chunk.js';
import { supersededBy, supersessionsOf } from '../../domain/saved/supersession.js';
import type { FirstIndexing, FoundChunks, RetrievalMode } from '../../domain/search.js';
import type { CandidateSet, Fusion, Settings } from '../../domain/settings.js';
import type { ChunkFilter } from '../../ports/keyword-index.js';
import type { CandidateCounts } from '../../schemas/explanation.js';
import type { SearchRequest } from '../../schemas/search.js';
import type { Project } from '../projects/project.js';

/** A search request with everything that its caller left to the defaults and settings. */
export interface RetrievalRequest extends Budget {
  readonly query: Query;
  /** The text that `query` was parsed from; it is embedded if the query is plain. */
  readonly text: string;
  readonly filter: ChunkFilter;
  readonly fusion: Fusion;
  readonly candidates: CandidateSet;
  /** The words of a plain query whose literal matches come first; none where the order of scores is kept. */
  readonly exactWords: readonly string[];
  /** Candidates with a lower relevance are left out. */
  readonly minRelevance: number;
  readonly settings: Settings;
}

/** Why a search ran in its mode. */
export interface ModeReason {
  /** As a sentence. */
  readonly modeReason: string;
  /** Whether vectors were missing that are being made, or the model that makes them. */
  readonly lacksVectors?: true;
}

export interface Retrieved extends ModeReason {
  /** The query that was run: the one requested, or its plain fallback. */
  readonly query: Query;
  /** In final order; callers do not sort again. */
  readonly ranked: readonly ScoredChunk[];
  readonly mode: RetrievalMode;
  readonly fusion?: Fusion;
  /** A sentence that says whether the first results were reranked; absent without a reranker. */
  readonly reranking?: string;
  readonly counts: CandidateCounts;
}

/** Finds the chunks for a query, best first. Each variant has its own way. */
export type Retrieve = (project: Project, request: RetrievalRequest) => Promise<Retrieved>;

/** What is asked of a search, by callers and by the service itself; what is absent has the default of the service or of the settings. */
export interface AskedSearch extends SearchRequest {
  /** Whether the search counts as a retrieval of the chunks it returns; default `counted`. */
  readonly retrievals?: 'counted' | 'uncounted';
  /** What happens to a project that was never indexed, where projects are watched; default `index`. */
  readonly neverIndexed?: 'index' | 'leave';
  /** Chunks of these source files are left out. */
  readonly excludedSources?: readonly string[];
  /** Only chunks of source files below one of these folders. */
  readonly folders?: readonly string[];
  /** Chunks of these source files come first. */
  readonly preferredSources?: readonly string[];
}

interface Circumstances {
  readonly query: Query;
  readonly settings: Settings;
  /** Source files that are left out besides. */
  readonly hidden: readonly string[];
}

/** Fills in what the caller left to the settings of the project and to the defaults of the service. */
export function retrievalRequest(
  asked: AskedSearch,
  { query, settings, hidden }: Circumstances,
): RetrievalRequest {
  const { query: text, sourceTypes = 'all', tags = [], excludedSources = [], folders } = asked;
  const fusion = asked.fusion ?? settings.fusion;
  const isExactFirst = (asked.exactWords ?? EXACT_BY_DEFAULT[fusion]) === 'first';
  const excluded = [...excludedSources, ...hidden];
  return {
    ...{ query, text, fusion },
    filter: { sourceTypes, tags, excludedSources: excluded, ...(folders && { folders }) },
    maxResults: asked.maxResults ?? DEFAULT_MAX_RESULTS,
    maxTokens: asked.maxTokens ?? DEFAULT_MAX_TOKENS,
    exactWords: isExactFirst && query.kind === 'plain' ? exactWords(text) : [],
    candidates: asked.candidates ?? settings.candidates,
    minRelevance: asked.minRelevance ?? 0,
    settings: { ...settings, relevanceFloor: floorOf(asked, settings) },
  };
}

const EXACT_BY_DEFAULT = { rrf: 'ranked', blend: 'first' } as const;

function floorOf({ irrelevant }: AskedSearch, { relevanceFloor }: Settings): number {
  if (irrelevant === 'shown') return 0;
  return irrelevant === 'hidden'
    ? Math.max(relevanceFloor, DEFAULT_RELEVANCE_FLOOR)
    : relevanceFloor;
}

/** Without copies and what is irrelevant, and with exact words and preferred sources first, where the caller wants that. */
export function arranged(
  retrieved: Retrieved,
  { copies, irrelevant, exactWords, preferredSources = [] }: AskedSearch,
  { exactWords: words }: Pick<RetrievalRequest, 'exactWords'>,
): Retrieved {
  const { query, mode, counts, fusion } = retrieved;
  const distinct = copies === 'hidden' ? distinctTexts(retrieved.ranked) : retrieved.ranked;
  const isExactFirst = exactWords === 'first' || mode === 'hybrid';
  const exact = isExactFirst ? preferExact(distinct, words) : distinct;
  const isOrdered = fusion === 'blend' || exact !== distinct;
  const order = isOrdered ? 'followed' : 'ignored';
  const rated = mode === 'hybrid' ? withRelevance(exact, { query, order }) : exact;
  const relevant =
    irrelevant === 'hidden' ? relevantAmong(rated, ({ relevance }) => relevance) : rated;
  const belowRelevance = (counts.belowRelevance ?? 0) + rated.length - relevant.length;
  return {
    ...retrieved,
    ranked: preferSources(relevant, preferredSources),
    counts: belowRelevance === 0 ? counts : { ...counts, belowRelevance },
  };
}

/** What a search found, of which its answer is made. */
export interface SearchFindings {
  readonly project: Project;
  readonly request: RetrievalRequest;
  /** With all chunks that may be shown, in final order. */
  readonly retrieved: Retrieved;
  /** How many chunks the setting `staleChunks` hides. */
  readonly hiddenStale: number;
  readonly budgeted: Budgeted<ScoredChunk>;
  readonly indexing: FirstIndexing | 'to_come' | undefined;
}

/** The chunks that a search found, and nothing of how. */
export function foundChunks({ project, retrieved, budgeted }: SearchFindings): FoundChunks {
  const { mode } = retrieved;
  const projectPath = project.openedAs ?? project.path;
  return {
    results: budgeted.kept.map(({ chunk, score, relevance }) => ({
      chunk: { ...chunk, projectPath },
      score: SHOWN_SCORES[mode](score),
      ...(relevance !== undefined && { relevance }),
    })),
    retrievalMode: mode,
    totalTokens: budgeted.usedTokens,
  };
}

/** Callers see BM25 scores as FTS5 returns them, negative (docs/specification.md, "Search"). */
const SHOWN_SCORES: Readonly<Record<RetrievalMode, (score: number) => number>> = {
  bm25: (score) => -score,
  hybrid: (score) => score,
};

/** Whether nothing that may be shown matches, in a project that was indexed; what was left out as irrelevant does match. */
export function matchesNothing({ retrieved, hiddenStale, indexing }: SearchFindings): boolean {
  const { ranked, counts } = retrieved;
  if (ranked.length > 0 || indexing === 'to_come') return false;
  return hiddenStale > 0 || counts.belowRelevance === undefined;
}

/** The source files that another one replaces. */
export async function supersededSources({ store }: Project): Promise<readonly string[]> {
  const superseding = await store.chunks.indexedSources('superseding');
  return [...supersededBy(supersessionsOf(superseding)).keys()];
}
