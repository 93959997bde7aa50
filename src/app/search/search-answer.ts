import { tokenCost } from '../../domain/chunks/tokens.js';
import { wantedTermsOf } from '../../domain/query/expression.js';
import type { Query } from '../../domain/query/query.js';
import { type Budget, withinBudget } from '../../domain/ranking/budget.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { QueryReading, RankTrace, RetrievalMode, SearchAnswer } from '../../domain/search.js';
import type { Retrieved } from './retriever.js';

/** The answer for the caller: the best chunks within the budget, and an explanation. */
export function toAnswer(retrieved: Retrieved, limits: Budget): SearchAnswer {
  const { query, ranked, mode, modeReason, fusion, counts } = retrieved;
  const { kept, usedTokens, reason } = withinBudget(ranked, limits);
  return {
    results: kept.map(({ chunk, score }) => ({ chunk, score: SHOWN_SCORES[mode](score) })),
    retrievalMode: mode,
    totalTokens: usedTokens,
    explanation: {
      query: readingOf(query),
      mode: { value: mode, reason: modeReason },
      ...(fusion !== undefined && { fusion }),
      candidates: counts,
      results: kept.map((scored) => traceOf(scored, mode)),
      budget: { ...limits, usedTokens, cut: ranked.length - kept.length, reason },
    },
  };
}

function readingOf(query: Query): QueryReading {
  const terms =
    query.kind === 'plain' ? query.words : wantedTermsOf(query.expression).map((term) => term.text);
  return { kind: query.kind, terms };
}

function traceOf(
  { chunk, score, relevance, ...ranks }: ScoredChunk,
  mode: RetrievalMode,
): RankTrace {
  return {
    id: chunk.id,
    score: SHOWN_SCORES[mode](score),
    ...(relevance !== undefined && { keywordScore: -relevance }),
    ...ranks,
    tokens: tokenCost(chunk.content),
  };
}

/** Callers see BM25 scores as FTS5 returns them, negative (docs/specification.md, "Search"). */
const SHOWN_SCORES: Record<RetrievalMode, (score: number) => number> = {
  bm25: (score) => -score,
  hybrid: (score) => score,
};
