import {
  DEFAULT_MAX_RESULTS,
  DEFAULT_MAX_TOKENS,
  DEFAULT_RELEVANCE_FLOOR,
} from '../../domain/limits.js';
import type { Query } from '../../domain/query/query.js';
import type { Budget } from '../../domain/ranking/budget.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { CandidateCounts, RetrievalMode, SearchRequest } from '../../domain/search.js';
import type { CandidateSet, Fusion, Settings } from '../../domain/settings.js';
import type { ChunkFilter } from '../../ports/chunk-filter.js';
import type { Project } from '../projects/project.js';

/** A search request with everything that its caller left to the defaults and settings. */
export interface RetrievalRequest extends Budget {
  readonly query: Query;
  /** The text that `query` was parsed from; it is embedded if the query is plain. */
  readonly text: string;
  readonly filter: ChunkFilter;
  readonly fusion: Fusion;
  readonly candidates: CandidateSet;
  /** Candidates with a lower relevance are left out. */
  readonly minRelevance: number;
  readonly settings: Settings;
}

export interface Retrieved {
  /** The query that was run: the one requested, or its plain fallback. */
  readonly query: Query;
  /** In final order; callers do not sort again. */
  readonly ranked: readonly ScoredChunk[];
  readonly mode: RetrievalMode;
  /** A sentence that says why the search ran in this mode. */
  readonly modeReason: string;
  /** Whether vectors were missing that are being made, or the model that makes them. */
  readonly lacksVectors?: true;
  readonly fusion?: Fusion;
  /** A sentence that says whether the first results were reranked; absent without a reranker. */
  readonly reranking?: string;
  readonly counts: CandidateCounts;
}

/** Finds the chunks for a query, best first. Each variant has its own way. */
export type Retrieve = (project: Project, request: RetrievalRequest) => Promise<Retrieved>;

/** A search request with the query that was read from its text. */
export interface Asked extends SearchRequest {
  readonly text: string;
  readonly query: Query;
}

/** Fills in what the caller left to the settings of the project and to the defaults of the service. */
export function retrievalRequest(
  asked: Asked,
  settings: Settings,
  hiddenSources: readonly string[],
): RetrievalRequest {
  const { sourceTypes = 'all', tags = [], excludedSources = [], folders } = asked;
  const hidden = [...excludedSources, ...hiddenSources];
  return {
    query: asked.query,
    text: asked.text,
    filter: { sourceTypes, tags, excludedSources: hidden, ...(folders && { folders }) },
    maxResults: asked.maxResults ?? DEFAULT_MAX_RESULTS,
    maxTokens: asked.maxTokens ?? DEFAULT_MAX_TOKENS,
    fusion: asked.fusion ?? settings.fusion,
    candidates: asked.candidates ?? settings.candidates,
    minRelevance: asked.minRelevance ?? 0,
    settings: { ...settings, relevanceFloor: floorOf(asked, settings) },
  };
}

function floorOf({ irrelevant }: Asked, { relevanceFloor }: Settings): number {
  if (irrelevant === 'shown') return 0;
  return irrelevant === 'hidden'
    ? Math.max(relevanceFloor, DEFAULT_RELEVANCE_FLOOR)
    : relevanceFloor;
}
