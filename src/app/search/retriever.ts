import type { Query } from '../../domain/query/query.js';
import type { Budget } from '../../domain/ranking/budget.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { CandidateCounts, RetrievalMode } from '../../domain/search.js';
import type { CandidateSet, Fusion, Settings } from '../../domain/settings.js';
import type { ChunkFilter } from '../../ports/driven/chunk-filter.js';
import type { Project } from '../projects/project.js';

/** What to search for, and how. */
export interface RetrievalRequest extends Budget {
  readonly query: Query;
  /** The text that `query` was parsed from; it is embedded if the query is plain. */
  readonly text: string;
  readonly filter: ChunkFilter;
  /** Whether chunks with the same heading and content are one candidate; default `all`. */
  readonly texts?: 'all' | 'distinct' | undefined;
  readonly fusion: Fusion;
  readonly candidates: CandidateSet;
  /** Candidates with a lower relevance are left out; default 0. */
  readonly minRelevance?: number | undefined;
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
  readonly fusion?: Fusion;
  /** A sentence that says whether the first results were ordered again; absent without a reranker. */
  readonly reranking?: string;
  readonly counts: CandidateCounts;
  readonly lacking?: Lacking;
  /** How many chunks the setting `staleChunks` left out; default 0. */
  readonly hiddenStale?: number;
}

/** What a comparison of vectors needs and does not have yet. */
export type Lacking = 'model' | 'vectors';

/** Finds the chunks for a query, best first. Each variant has its own retrievers. */
export interface Retriever {
  retrieve(project: Project, request: RetrievalRequest): Promise<Retrieved>;
}
