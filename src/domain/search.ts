import type { Chunk, SourceType } from './chunks/chunk.js';
import type { CitationReport } from './citations/citation-report.js';
import type { Fusion } from './settings.js';

/** The source types to search; an empty list finds nothing. */
export type SourceTypeFilter = readonly SourceType[] | 'all';

export type RetrievalMode = 'hybrid' | 'bm25';

/** A chunk with its score: negative BM25 (lower is better) in `bm25` mode, merged (higher is better) in `hybrid`. */
export interface SearchResult extends CitationReport {
  readonly chunk: Chunk;
  readonly score: number;
  /** How likely the chunk is to answer the query, 0 to 1, comparable across queries and projects; in `hybrid` mode only. */
  readonly relevance?: number;
}

export interface SearchAnswer {
  /** In final order. */
  readonly results: readonly SearchResult[];
  readonly retrievalMode: RetrievalMode;
  /** Sum of the budget tokens of the results. */
  readonly totalTokens: number;
  readonly explanation: Explanation;
}

export type FirstIndexing = 'started' | 'running';

/** Why a search returned these results (docs/specification.md, "Explain"). */
export interface Explanation {
  readonly query: QueryReading;
  readonly mode: { readonly value: RetrievalMode; readonly reason: string };
  /** Present while the first indexing of the project goes on: started by this search, or running already. */
  readonly indexing?: FirstIndexing;
  /** Absent in `bm25` mode, where nothing is merged. */
  readonly fusion?: Fusion;
  /** A sentence that says whether the first results were reranked; absent without a reranker. */
  readonly reranking?: string;
  readonly candidates: CandidateCounts;
  /** One entry per result, in the order of the results. */
  readonly results: readonly RankTrace[];
  /** What the caller should know: above all why there are no results. */
  readonly notes: readonly AnswerNote[];
  readonly budget: {
    readonly maxResults: number;
    readonly maxTokens: number;
    readonly usedTokens: number;
    /** Ranked chunks that were left out because the budget or the number of results was reached. */
    readonly cut: number;
    readonly reason: 'nothing cut' | 'maxResults reached' | 'maxTokens reached';
  };
}

/** Whether the answer is empty because its candidates were those that share a word with the query. */
export function sharesNoWord({ notes }: Pick<Explanation, 'notes'>): boolean {
  return notes.some(({ code }) => code === 'no_match');
}

/** How the text of a query was read. */
export interface QueryReading {
  readonly kind: 'structured' | 'plain';
  /** The words or phrases to look for. */
  readonly terms: readonly string[];
}

/** How many candidates each list contributed. */
export interface CandidateCounts {
  /** Structured query: chunks that match it. */
  readonly structured?: number;
  /** Plain query: chunks with any informative word. */
  readonly anyWord?: number;
  /** Candidates that were ranked by a vector. */
  readonly withVector?: number;
  /** Chunks that only the vectors found (`candidates: "union"`). */
  readonly vectorOnly?: number;
  /** Candidates that were left out because of their relevance; absent if there were none. */
  readonly belowRelevance?: number;
}

/** A fact about an answer, for programs and for people. */
export interface AnswerNote {
  readonly code: (typeof ANSWER_NOTE_CODES)[number];
  readonly sentence: string;
}

/** Whether what a note says will soon be different. */
export function isPassing({ code }: AnswerNote): boolean {
  return code === 'no_vectors' || code === 'indexing';
}

export const ANSWER_NOTE_CODES = [
  /** Nothing was returned, because the first chunk does not fit into the budget. */
  'budget',
  /** Nothing was returned, because all candidates are below the relevance that was asked for. */
  'irrelevant',
  /** Nothing was returned, because nothing matches. */
  'no_match',
  /** The best result is more likely irrelevant than not. */
  'not_relevant',
  /** Only words were compared, because the model is still loading or no candidate has a vector yet. */
  'no_vectors',
  /** The first indexing of the project is under way. */
  'indexing',
  /** Nothing was returned, because nothing of the project was ever indexed. */
  'never_indexed',
] as const;

/** The ranks (from 1) and scores of one chunk in the lists that ranked it. */
export interface RankTrace extends CitationReport {
  readonly id: string;
  readonly score: number;
  readonly relevance?: number;
  readonly keywordRank?: number;
  readonly keywordScore?: number;
  readonly vectorRank?: number;
  readonly cosine?: number;
  /** Place before reranking; absent for what was not reranked. */
  readonly rankBefore?: number;
  readonly rerankScore?: number;
  readonly tokens: number;
}
