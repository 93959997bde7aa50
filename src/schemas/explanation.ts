import * as z from 'zod';
import { ANSWER_NOTE_CODES } from '../domain/search.js';
import { FUSIONS } from '../domain/settings.js';
import { citationReport } from './citations.js';

/** The key `explain` of a search response (docs/specification.md, "Explain"). */

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
    structured: z.int().min(0).optional().describe('Chunks that match the expression.'),
    allWords: z.int().min(0).optional().describe('Chunks with all words.'),
    anyWord: z
      .int()
      .min(0)
      .optional()
      .describe('Further chunks with at least one informative word.'),
    withVector: z.int().min(0).optional().describe('Candidates that were ranked by a vector.'),
    vectorOnly: z.int().min(0).optional().describe('Candidates that only the vectors found.'),
    belowRelevance: z
      .int()
      .min(0)
      .optional()
      .describe('Candidates that were left out because of their relevance; absent if none were.'),
  })
  .describe('How many candidates each list contributed.');

export const relevance = z
  .number()
  .min(0)
  .max(1)
  .describe('How likely the chunk is to answer the query; only if vectors were compared.');

const note = z
  .object({
    code: z.enum(ANSWER_NOTE_CODES).describe('The fact, for programs.'),
    sentence: z.string().describe('The fact, for people.'),
  })
  .meta({ id: 'AnswerNote', description: 'What a caller should know about an answer.' });

const trace = z
  .object({
    id: z.string().describe('Id of the chunk.'),
    score: z.number().describe('Final score.'),
    relevance: relevance.optional(),
    keywordRank: z.int().min(0).optional().describe('Rank in the keyword list, from 1.'),
    keywordScore: z.number().optional().describe('BM25 score; lower is better.'),
    vectorRank: z.int().min(0).optional().describe('Rank in the vector list, from 1.'),
    cosine: z.number().optional().describe('Cosine similarity of query and chunk.'),
    rankBefore: z.int().min(1).optional().describe('Place before reranking, from 1.'),
    rerankScore: z.number().optional().describe('What the reranker said; higher is better.'),
    tokens: z.int().min(0).describe('Number of budget tokens that the chunk uses.'),
    ...citationReport,
  })
  .meta({ id: 'RankTrace', description: 'The ranks and scores of one result.' });

const budget = z
  .object({
    maxResults: z.int().min(0).describe('Limit of results.'),
    maxTokens: z.int().min(0).describe('Token budget.'),
    usedTokens: z.int().min(0).describe('Tokens of the results.'),
    cut: z.int().min(0).describe('Ranked chunks that were left out because of a limit.'),
    reason: z
      .enum(['nothing cut', 'maxResults reached', 'maxTokens reached'])
      .describe('The limit that was reached.'),
  })
  .describe('The limits, and how many chunks they left out.');

export const explanation = z
  .object({
    query,
    mode,
    fusion: z
      .enum(FUSIONS)
      .optional()
      .describe('How the two rankings were merged; absent in "bm25" mode.'),
    indexing: z
      .enum(['started', 'running'])
      .optional()
      .describe(
        'Only while the first indexing of the project goes on: started by this search, or running already.',
      ),
    reranking: z
      .string()
      .optional()
      .describe('Whether a reranker ordered the first results again, as a sentence.'),
    candidates,
    results: z.array(trace).describe('One entry per result, in the same order.'),
    budget,
    notes: z.array(note).describe('Above all why there are no results.'),
  })
  .meta({ id: 'Explanation', description: 'Why a search returned what it returned.' });
