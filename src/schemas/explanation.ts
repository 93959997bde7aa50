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
    terms: z.array(z.string()).describe('Words and phrases searched for.'),
  })
  .describe('How the query was read.');

const mode = z
  .object({
    value: retrievalMode,
    reason: z.string().describe('Why the search ran in this mode, as a sentence.'),
  })
  .describe('The retrieval mode.');

const candidates = z
  .object({
    structured: count('Chunks that match the expression.').optional(),
    anyWord: count('Chunks with at least one informative word.').optional(),
    withVector: count('Candidates ranked by a vector.').optional(),
    vectorOnly: count('Candidates found only by their vectors.').optional(),
    belowRelevance: count(
      'Candidates left out because of low relevance; absent if none were.',
    ).optional(),
  })
  .describe('How many candidates each list contributed.');

const note = named('AnswerNote', 'A remark about an answer.', {
  code: z.enum(ANSWER_NOTE_CODES).describe('Code of the remark, for programs.'),
  sentence: z.string().describe('The remark as a sentence, for people.'),
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
  tokens: count('Budget tokens used by the chunk.'),
  ...citationReport,
});

const budget = z
  .object({
    maxResults: count('Maximum number of results.'),
    maxTokens: count('Token budget.'),
    usedTokens: count('Budget tokens used by the results.'),
    cut: count('Ranked chunks left out because of a limit.'),
    reason: z
      .enum(['nothing cut', 'maxResults reached', 'maxTokens reached'])
      .describe('The limit that was reached.'),
  })
  .describe('The limits, and how many chunks they left out.');

/** The key `explain` of a search response (docs/specification.md, "Explain"). */
export const explanation = named('Explanation', 'How a search produced its results.', {
  query,
  match: z.string().describe('The FTS5 MATCH expression run on chunks_fts; empty if none was run.'),
  mode,
  fusion: z
    .enum(FUSIONS)
    .optional()
    .describe('How the two rankings were merged; absent in "bm25" mode.'),
  indexing: z
    .enum(['started', 'running'])
    .optional()
    .describe(
      'Present only during the first indexing of the project: whether this search started it, or it was already running.',
    ),
  reranking: z
    .string()
    .optional()
    .describe('Whether a reranker reordered the first results, as a sentence.'),
  candidates,
  results: list(trace, 'One entry per result, in the same order.'),
  budget,
  notes: list(note, 'Remarks on the answer, such as why there are no results.'),
});

/** Why a search returned these results (docs/specification.md, "Explain"). */
export type Explanation = BodyOf<typeof explanation>;
/** A fact about an answer, for programs and for people. */
export type AnswerNote = Explanation['notes'][number];
/** The ranks (counted from 1) and scores of one chunk. */
export type RankTrace = Explanation['results'][number];
/** How many candidates each list contributed. */
export type CandidateCounts = Explanation['candidates'];

export interface SearchAnswer extends FoundChunks {
  readonly explanation: Explanation;
}

/** The answer to a search by people and agents. */
export interface ReadAnswer extends SearchAnswer {
  readonly results: readonly ReadResult[];
  /** Whether even the best result is probably irrelevant. */
  readonly weak: boolean;
  /** How many results were left out because of low relevance. */
  readonly leftOut: number;
}

/** A result for people and agents. */
export interface ReadResult extends SearchResult {
  /** Whether the chunk belongs to the project or to the user. */
  readonly scope: 'project' | 'user';
  /** Id of the note that supersedes this one; absent if none does. */
  readonly supersededBy?: string;
}
