import { DEFAULT_MAX_RESULTS, DEFAULT_MAX_TOKENS } from '../../domain/limits.js';
import { exactWords } from '../../domain/query/exact-words.js';
import { addWords, type Query, usedAlso } from '../../domain/query/query.js';
import type { Correction } from '../../domain/query/typos.js';
import type { Budget } from '../../domain/ranking/budget.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { Profile, RetrievalMode } from '../../domain/ranking/search.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { CandidateSet, Fusion, Settings } from '../../domain/settings.js';
import type { ChunkFilter } from '../../ports/keyword-index.js';
import type { CandidateCounts } from '../../schemas/explanation.js';
import type { ReadRequest } from '../../schemas/search.js';
import type { Project } from '../project.js';

/** A search request, completed with defaults and settings. */
export interface RetrievalRequest extends Budget {
  readonly profile: Profile;
  readonly query: Query;
  /** The text from which `query` was parsed; embedded if the query is plain. */
  readonly text: string;
  /** The same question in the words of a document; embedded together with `text`. */
  readonly also?: string;
  /** The vector of `text`, if the caller has it. */
  readonly vector?: Vector;
  readonly filter: ChunkFilter;
  readonly fusion: Fusion;
  readonly candidates: CandidateSet;
  /** The words of a plain query whose literal matches come first; empty if scores decide the order. */
  readonly exactWords: readonly string[];
  /** Candidates with a lower relevance are left out; undefined if not requested. */
  readonly minRelevance: number | undefined;
  readonly settings: Settings;
}

/** Why a search ran in its mode. */
export interface ModeReason {
  /** As a sentence. */
  readonly modeReason: string;
  /** `vectors`: a later search may have them. `model`: no model works. Absent if nothing is lacking. */
  readonly lacks?: 'vectors' | 'model';
}

export interface Retrieved extends ModeReason {
  /** The query that was run: the one requested, or its plain fallback. */
  readonly query: Query;
  /** The FTS5 expression that was run; empty if there was nothing to look for. */
  readonly match: string;
  /** Best first: sorted by score, unless a reranker has changed the order. */
  readonly ranked: readonly ScoredChunk[];
  readonly mode: RetrievalMode;
  readonly fusion?: Fusion;
  /** A sentence that says whether the first results were reranked; absent without a reranker. */
  readonly reranking?: string;
  readonly counts: CandidateCounts;
  /** Identifier words that occur nowhere, with their replacements; absent if there are none. */
  readonly corrections?: readonly Correction[];
  /** Set if the scale of the model's cosines is not measured, so that relevance is unknown. */
  readonly isUnscaled?: true;
}

/** Finds the chunks for a query, best first. Each variant has its own implementation. */
export type Retrieve = (project: Project, request: RetrievalRequest) => Promise<Retrieved>;

/** A search request, from callers or the service itself. Absent fields get the profile's defaults. */
export interface SearchParameters extends Omit<ReadRequest, 'explain'> {
  readonly profile: Profile;
  /** Whether the search counts as a retrieval of the chunks it returns; default `counted`. */
  readonly retrievals?: 'counted' | 'uncounted';
  /** What to do with a project that was never indexed, if projects are watched; default `index`. */
  readonly neverIndexed?: 'index' | 'leave';
  /** Chunks of these source files are left out. */
  readonly excludedSources?: readonly string[];
  /** Only chunks of source files below one of these folders. */
  readonly folders?: readonly string[];
  /** Chunks of these source files come first. */
  readonly preferredSources?: readonly string[];
  /** Whether to compute the relevance of the results; `reading` always does. */
  readonly relevance?: 'wanted' | 'ignored';
  /** The vector of the query, if the caller has it and there is no `also`. */
  readonly vector?: Vector;
}

export type SearchOptions = Pick<SearchParameters, 'retrievals' | 'neverIndexed'>;

/** A search for people and agents. */
export type ReadParameters = ReadRequest & SearchOptions;

interface SearchContext {
  readonly query: Query;
  readonly settings: Settings;
  readonly filter: ChunkFilter;
}

/** Fills absent fields with the defaults of the profile. */
export function retrievalRequest(
  asked: SearchParameters,
  { query: own, settings, filter }: SearchContext,
): RetrievalRequest {
  const { profile, query: text } = asked;
  const { fusion, candidates } = PROFILE_DEFAULTS[profile];
  const also = usedAlso(asked.also);
  const isExactFirst = profile === 'reading' && own.kind === 'plain';
  return {
    profile,
    text,
    filter,
    settings,
    query: also === '' ? own : addWords(own, also),
    ...(also !== '' && { also }),
    ...(asked.vector !== undefined && { vector: asked.vector }),
    fusion: asked.fusion ?? fusion,
    candidates: asked.candidates ?? candidates,
    maxResults: asked.maxResults ?? DEFAULT_MAX_RESULTS,
    maxTokens: asked.maxTokens ?? DEFAULT_MAX_TOKENS,
    exactWords: isExactFirst ? exactWords(text) : [],
    minRelevance: asked.minRelevance,
  };
}

const PROFILE_DEFAULTS = {
  specified: { fusion: 'rrf', candidates: 'keyword' },
  reading: { fusion: 'blend', candidates: 'union' },
} as const;
