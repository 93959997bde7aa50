import type { Query } from '../../domain/query/query.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { CandidateCounts, RetrievalMode } from '../../domain/search.js';
import type { CandidateSet, Fusion, Settings } from '../../domain/settings.js';
import type { ChunkFilter } from '../../ports/driven/chunk-filter.js';
import type { Project } from '../projects/project.js';

/** What to look for, and how. */
export interface RetrievalRequest {
  readonly query: Query;
  /** What a vector is made of: the text that `query` was read from. */
  readonly text: string;
  readonly filter: ChunkFilter;
  readonly maxResults: number;
  readonly fusion: Fusion;
  readonly candidates: CandidateSet;
  readonly settings: Settings;
}

export interface Retrieved {
  /** The query as it was read in the end. */
  readonly query: Query;
  /** In final order: nobody sorts again. */
  readonly ranked: readonly ScoredChunk[];
  readonly mode: RetrievalMode;
  /** Why the mode is what it is, as a sentence. */
  readonly modeReason: string;
  readonly fusion?: Fusion;
  readonly counts: CandidateCounts;
}

/** Finds the chunks that answer a query, best first. Where the variants differ. */
export interface Retriever {
  retrieve(project: Project, request: RetrievalRequest): Promise<Retrieved>;
}
