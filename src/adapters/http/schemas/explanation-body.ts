import type { CandidateCounts, Explanation, RankTrace } from '../../../domain/search.js';

/** Why an answer is what it is (contract, `explain`). */
export function explanationOf({ query, mode, fusion, candidates, results, budget }: Explanation) {
  return {
    query: { kind: query.kind, terms: query.terms },
    mode: { value: mode.value, reason: mode.reason },
    fusion,
    candidates: candidatesOf(candidates),
    results: results.map(traceOf),
    budget: {
      maxResults: budget.maxResults,
      maxTokens: budget.maxTokens,
      usedTokens: budget.usedTokens,
      cut: budget.cut,
      reason: budget.reason,
    },
  };
}

function candidatesOf(counts: CandidateCounts) {
  return {
    structured: counts.structured,
    allWords: counts.allWords,
    anyWord: counts.anyWord,
    withVector: counts.withVector,
    vectorOnly: counts.vectorOnly,
  };
}

function traceOf(trace: RankTrace) {
  return {
    id: trace.id,
    score: trace.score,
    keywordRank: trace.keywordRank,
    keywordScore: trace.keywordScore,
    vectorRank: trace.vectorRank,
    cosine: trace.cosine,
    tokens: trace.tokens,
  };
}
