import type { Chunk, SourceType } from '../chunks/chunk.js';
import type { CitationReport } from '../citations/citation.js';
import type { NoteState, Said } from '../saved/note-record.js';

/** The source types to search; an empty list finds nothing. */
export type SourceTypeFilter = readonly SourceType[] | 'all';

/**
 * How a search ranks. `specified`: as in the specification, so that the scores can be recomputed from the tables.
 * `reading`: the ranking measured best for people and agents.
 */
export const PROFILES = ['specified', 'reading'] as const;
export type Profile = (typeof PROFILES)[number];

export type RetrievalMode = 'hybrid' | 'bm25';

/**
 * A chunk with its score: the merged score (higher is better) or, in the search-only variant, FTS5's BM25 (lower is
 * better).
 */
export interface SearchResult extends CitationReport, Partial<NoteState>, Said {
  readonly chunk: Chunk;
  readonly score: number;
  /**
   * How likely the chunk is to answer the query, 0 to 1, comparable across queries and projects; in `hybrid` mode only.
   */
  readonly relevance?: number;
}

/** The results of a search, in final order. */
export interface FoundChunks {
  readonly results: readonly SearchResult[];
  readonly retrievalMode: RetrievalMode;
  /** Sum of the budget tokens of the results. */
  readonly totalTokens: number;
}

export type FirstIndexing = 'started' | 'running';

/** Why nothing was ranked by meaning although there are vectors: no chunk matched, by words or filters. */
export const NOTHING_TO_RANK = 'No result to rank by meaning.';

/** Whether a remark applies only temporarily. */
export function isTransient({ code }: Coded): boolean {
  return code === 'no_vectors' || code === 'indexing';
}

interface Coded {
  readonly code: (typeof ANSWER_NOTE_CODES)[number];
}

export const ANSWER_NOTE_CODES = [
  /** Nothing was returned, because the first chunk exceeds the budget. */
  'budget',
  /** Nothing was returned, because all candidates are below the requested relevance. */
  'irrelevant',
  /** Nothing was returned, because nothing matches. */
  'no_match',
  /** Even the best result is probably irrelevant. */
  'not_relevant',
  /** A word of an identifier occurs nowhere, so the search used a similar one. */
  'corrected',
  /** A language model rephrased the question. */
  'rewritten',
  /** Only words were compared: the model is loading or late, or no candidate has a vector yet. */
  'no_vectors',
  /** Only words were compared, because there is no working model. */
  'no_model',
  /** The first indexing of the project is running. */
  'indexing',
  /** Nothing was returned, because the project was never indexed. */
  'never_indexed',
] as const;
