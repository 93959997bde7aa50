import { tokenCost } from '../../domain/chunks/text.js';
import { wantedTermsOf } from '../../domain/query/expression.js';
import type { Query } from '../../domain/query/query.js';
import { withinBudget } from '../../domain/ranking/budget.js';
import { relevanceTo } from '../../domain/ranking/relevance.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { QueryReading, RankTrace, RetrievalMode, SearchAnswer } from '../../domain/search.js';
import { type AnswerContext, notesOf } from './answer-notes.js';
import type { Retrieved } from './retriever.js';

/** The answer for the caller: the best chunks within the budget, and an explanation. */
export function toAnswer(retrieved: Retrieved, context: AnswerContext): SearchAnswer {
  const { query, ranked, mode, modeReason, fusion, reranking, counts } = retrieved;
  const { request, projectPath } = context;
  const { maxResults, maxTokens } = request;
  const { kept, usedTokens, reason } = withinBudget(ranked, request);
  const traces = tracesOf(retrieved, kept);
  const explanation = {
    query: readingOf(query),
    mode: { value: mode, reason: modeReason },
    ...(fusion !== undefined && { fusion }),
    ...(reranking !== undefined && { reranking }),
    candidates: counts,
    results: traces,
    budget: { maxResults, maxTokens, usedTokens, cut: ranked.length - kept.length, reason },
  };
  const bestTokens = ranked[0] && tokenCost(ranked[0].chunk.content);
  const { lacking, hiddenStale = 0 } = retrieved;
  const notes = notesOf({ explanation, context, bestTokens, lacking, hiddenStale });
  return {
    results: kept.map(({ chunk }, index) => ({
      chunk: { ...chunk, projectPath },
      ...shownOf(traces[index] as RankTrace),
    })),
    retrievalMode: mode,
    totalTokens: usedTokens,
    explanation: { ...explanation, notes },
  };
}

function shownOf({ score, relevance }: RankTrace) {
  return { score, ...(relevance !== undefined && { relevance }) };
}

function readingOf(query: Query): QueryReading {
  const terms =
    query.kind === 'plain' ? query.words : wantedTermsOf(query.expression).map((term) => term.text);
  return { kind: query.kind, terms };
}

function tracesOf({ query, mode }: Retrieved, kept: readonly ScoredChunk[]): readonly RankTrace[] {
  const relevanceOf = relevanceTo(query);
  return kept.map((scored) => {
    const { chunk, score, bm25, ...ranks } = scored;
    return {
      id: chunk.id,
      score: SHOWN_SCORES[mode](score),
      ...(mode === 'hybrid' && { relevance: relevanceOf(scored) }),
      ...(bm25 !== undefined && { keywordScore: -bm25 }),
      ...ranks,
      tokens: tokenCost(chunk.content),
    };
  });
}

/** Callers see BM25 scores as FTS5 returns them, negative (docs/specification.md, "Search"). */
const SHOWN_SCORES: Record<RetrievalMode, (score: number) => number> = {
  bm25: (score) => -score,
  hybrid: (score) => score,
};
