import * as z from 'zod';
import {
  ANSWER_NOTE_CODES,
  type FoundChunks,
  type SearchResult,
} from '../domain/ranking/search.js';
import { FUSIONS } from '../domain/settings.js';
import type { BodyOf } from './checks.js';
import { count, list, named } from './fields.js';
import { citationReport, relevance } from './results.js';

export const retrievalMode = z
  .enum(['hybrid', 'bm25'])
  .describe('"hybrid" if at least one candidate was ranked by a vector.');

const query = z
  .object({
    kind: z
      .enum(['structured', 'plain'])
      .describe('Whether the query was read as an expression or as words.'),
    terms: z.array(z.string()).describe('Words and phrases that were looked for.'),
  })
  .describe('How the query was read.');

const mode = z
  .object({
    value: retrievalMode,
    reason: z.string().describe('A sentence that says why the search ran in this mode.'),
  })
  .describe('The retrieval mode.');

const candidates = z
  .object({
    structured: count('Chunks that match the expression.').optional(),
    anyWord: count('Chunks with at least one informative word.').optional(),
    withVector: count('Candidates that were ranked by a vector.').optional(),
    vectorOnly: count('Candidates that only the vectors found.').optional(),
    belowRelevance: count(
      'Candidates that were left out because of their relevance; absent if none were.',
    ).optional(),
  })
  .describe('How many candidates each list contributed.');

const note = named('AnswerNote', 'A remark about an answer.', {
  code: z.enum(ANSWER_NOTE_CODES).describe('The fact, for programs.'),
  sentence: z.string().describe('The fact, for people.'),
});

const trace = named('RankTrace', 'The ranks and scores of one result.', {
  id: z.string().describe('Id of the chunk.'),
  score: z.number().describe('Final score.'),
  relevance: relevance.optional(),
  keywordRank: count('Rank in the keyword list, from 1.').optional(),
  keywordScore: z.number().optional().describe('BM25 score; lower is better.'),
  vectorRank: count('Rank in the vector list, from 1.').optional(),
  cosine: z.number().optional().describe('Cosine similarity of query and chunk.'),
  rankBefore: z.int().min(1).optional().describe('Place before reranking, from 1.'),
  rerankScore: z.number().optional().describe('Score of the reranker; higher is better.'),
  tokens: count('Number of budget tokens that the chunk uses.'),
  ...citationReport,
});

const budget = z
  .object({
    maxResults: count('Limit of results.'),
    maxTokens: count('Token budget.'),
    usedTokens: count('Tokens of the results.'),
    cut: count('Ranked chunks that were left out because of a limit.'),
    reason: z
      .enum(['nothing cut', 'maxResults reached', 'maxTokens reached'])
      .describe('The limit that was reached.'),
  })
  .describe('The limits, and how many chunks they left out.');

/** The key `explain` of a search response (docs/specification.md, "Explain"). */
export const explanation = named('Explanation', 'How a search produced its results.', {
  query,
  match: z
    .string()
    .describe('The FTS5 MATCH expression that was run on chunks_fts; empty if there was none.'),
  mode,
  fusion: z
    .enum(FUSIONS)
    .optional()
    .describe('How the two rankings were merged; absent in "bm25" mode.'),
  indexing: z
    .enum(['started', 'running'])
    .optional()
    .describe(
      'Only during the first indexing of the project: started by this search, or already running.',
    ),
  reranking: z
    .string()
    .optional()
    .describe('Whether a reranker sorted the first results, as a sentence.'),
  candidates,
  results: list(trace, 'One entry per result, in the same order.'),
  budget,
  notes: list(note, 'Above all why there are no results.'),
});

/** Why a search returned these results (docs/specification.md, "Explain"). */
export type Explanation = BodyOf<typeof explanation>;
/** A fact about an answer, for programs and for people. */
export type AnswerNote = Explanation['notes'][number];
/** The ranks (from 1) and scores of one chunk in the lists that ranked it. */
export type RankTrace = Explanation['results'][number];
/** How many candidates each list contributed. */
export type CandidateCounts = Explanation['candidates'];

export interface SearchAnswer extends FoundChunks {
  readonly explanation: Explanation;
}

/** The answer to a search by people and agents. */
export interface ReadAnswer extends SearchAnswer {
  readonly results: readonly ReadResult[];
  /** Whether the best result is more likely irrelevant than not. */
  readonly weak: boolean;
  /** How many results were left out because of their relevance. */
  readonly leftOut: number;
}

/** A result for people and agents. */
export interface ReadResult extends SearchResult {
  /** Where it is known. */
  readonly scope: 'project' | 'user';
  /** The id of the note that replaces it; absent if none does. */
  readonly supersededBy?: string;
}
