import { tokenCost } from '../../domain/chunks/text.js';
import { wantedTermsOf } from '../../domain/query/expression.js';
import type { Query } from '../../domain/query/query.js';
import { isDoubtful } from '../../domain/ranking/relevance.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { SearchResult } from '../../domain/search.js';
import type { AnswerNote, Explanation, RankTrace } from '../../schemas/explanation.js';
import type { RetrievalRequest, SearchFindings } from './retrieval.js';

/** How a search came about. @param results as they are shown */
export function explanationOf(
  findings: SearchFindings,
  results: readonly SearchResult[],
): Explanation {
  const { retrieved, request, budgeted, indexing } = findings;
  const { query, mode, modeReason, fusion, reranking, counts, ranked } = retrieved;
  const { maxResults, maxTokens } = request;
  const traces = results.map((result, i) => traceOf(result, budgeted.kept[i]));
  const cut = ranked.length - budgeted.kept.length;
  return {
    query: { kind: query.kind, terms: termsOf(query) },
    mode: { value: mode, reason: modeReason },
    ...(indexing !== undefined && indexing !== 'to_come' && { indexing }),
    ...(fusion !== undefined && { fusion }),
    ...(reranking !== undefined && { reranking }),
    candidates: counts,
    results: traces,
    budget: {
      maxResults,
      maxTokens,
      usedTokens: budgeted.usedTokens,
      cut,
      reason: budgeted.reason,
    },
    notes: notesOn(findings, traces),
  };
}

function termsOf(query: Query): readonly string[] {
  if (query.kind === 'plain') return query.words;
  return wantedTermsOf(query.expression).map((term) => term.text);
}

function traceOf({ chunk, ...shown }: SearchResult, scored: ScoredChunk | undefined): RankTrace {
  const { chunk: _, score: __, bm25, ...ranks } = scored ?? {};
  return {
    ...{ id: chunk.id, tokens: tokenCost(chunk.content) },
    ...ranks,
    ...(bm25 !== undefined && { keywordScore: -bm25 }),
    ...shown,
  };
}

/** What a caller should know about an answer: why it is empty, or may lack something. */
function notesOn(findings: SearchFindings, traces: readonly RankTrace[]): readonly AnswerNote[] {
  const { retrieved, indexing } = findings;
  const relevances = traces.flatMap(({ relevance }) => relevance ?? []);
  const best = Math.max(...relevances);
  const notes: (AnswerNote | false)[] = [
    traces.length === 0 && (indexing === 'to_come' ? NEVER_INDEXED : whyEmpty(findings)),
    isDoubtful(traces) && notRelevant(best),
    retrieved.lacksVectors === true && {
      code: 'no_vectors',
      sentence: `${retrieved.modeReason} Only words were compared.`,
    },
    indexing !== undefined && indexing !== 'to_come' && INDEXING,
  ];
  return notes.filter((note) => note !== false);
}

function notRelevant(best: number): AnswerNote {
  return {
    code: 'not_relevant',
    sentence: `This is probably not about it: the best result has a relevance of ${best.toFixed(2)}.`,
  };
}

const INDEXING: AnswerNote = {
  code: 'indexing',
  sentence: 'The project is being indexed for the first time; more can be found when that is done.',
};

const NEVER_INDEXED: AnswerNote = {
  code: 'never_indexed',
  sentence: 'Nothing of this project was ever indexed; rebuild or ingest it first.',
};

function whyEmpty({ retrieved, request, hiddenStale }: SearchFindings): AnswerNote {
  const { ranked, counts, query } = retrieved;
  if (ranked[0] !== undefined) {
    const cost = tokenCost(ranked[0].chunk.content);
    const sentence = `The best chunk takes ${cost} tokens, more than the budget of ${request.maxTokens}.`;
    return { code: 'budget', sentence };
  }
  if (hiddenStale > 0) {
    const sentence = `What matches (${hiddenStale}) cites files that have changed or are gone; the setting "staleChunks": "hide" leaves it out.`;
    return { code: 'no_match', sentence };
  }
  if (counts.belowRelevance !== undefined) return tooIrrelevant(counts.belowRelevance, request);
  const hasTerms = termsOf(query).length > 0;
  const sentence = hasTerms ? 'No chunk matches.' : 'The query has no letter or digit to look for.';
  return { code: 'no_match', sentence };
}

function tooIrrelevant(count: number, { minRelevance, settings }: RetrievalRequest): AnswerNote {
  const { relevanceFloor } = settings;
  const limit =
    minRelevance > relevanceFloor
      ? `${minRelevance}, the minRelevance of the request`
      : relevanceFloor;
  return {
    code: 'irrelevant',
    sentence: `Nothing relevant is known: the closest chunks (${count}) have a relevance below ${limit}.`,
  };
}
