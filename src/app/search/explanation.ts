import type { Chunk } from '../../domain/chunks/chunk.js';
import { tokenCost } from '../../domain/chunks/text.js';
import type { CitationReport } from '../../domain/citations/citation-report.js';
import { wantedTermsOf } from '../../domain/query/expression.js';
import type { Query } from '../../domain/query/query.js';
import type { Budgeted } from '../../domain/ranking/budget.js';
import { isDoubtful } from '../../domain/ranking/relevance.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { FirstIndexing, RetrievalMode } from '../../domain/search.js';
import type { AnswerNote, RankTrace, SearchAnswer } from '../../schemas/explanation.js';
import type { RetrievalRequest, Retrieved } from './retrieval.js';

/** What a search found, from which its answer is made. */
export interface SearchFindings {
  readonly request: RetrievalRequest;
  /** With all chunks that may be shown, in final order. */
  readonly retrieved: Retrieved;
  /** How many chunks the setting `staleChunks` hides. */
  readonly hiddenStale: number;
  readonly budgeted: Budgeted<ScoredChunk>;
  /** The chunks within the budget as they are shown, which may include their neighbours. */
  readonly shown: readonly Chunk[];
  /** By chunk id; chunks without citations are left out. */
  readonly citations: ReadonlyMap<string, CitationReport>;
  readonly indexing: FirstIndexing | 'to_come' | undefined;
}

/** The answer of a search, and how it came about. */
export function answerOf(findings: SearchFindings): SearchAnswer {
  const { retrieved, request, budgeted, shown, citations, indexing } = findings;
  const { query, mode, modeReason, fusion, reranking, counts, ranked } = retrieved;
  const { maxResults, maxTokens } = request;
  const traces = tracesOf(findings);
  const usedTokens = traces.reduce((sum, { tokens }) => sum + tokens, 0);
  const cut = ranked.length - budgeted.kept.length;
  return {
    results: shown.map((chunk, index) => {
      const { score = 0, relevance } = traces[index] ?? {};
      const rated = relevance === undefined ? {} : { relevance };
      return { chunk, score, ...rated, ...citations.get(chunk.id) };
    }),
    retrievalMode: mode,
    totalTokens: usedTokens,
    explanation: {
      query: { kind: query.kind, terms: termsOf(query) },
      mode: { value: mode, reason: modeReason },
      ...(indexing !== undefined && indexing !== 'to_come' && { indexing }),
      ...(fusion !== undefined && { fusion }),
      ...(reranking !== undefined && { reranking }),
      candidates: counts,
      results: traces,
      budget: { maxResults, maxTokens, usedTokens, cut, reason: budgeted.reason },
      notes: notesOn(findings, traces),
    },
  };
}

function termsOf(query: Query): readonly string[] {
  if (query.kind === 'plain') return query.words;
  return wantedTermsOf(query.expression).map((term) => term.text);
}

function tracesOf({
  retrieved: { mode },
  budgeted: { kept },
  shown,
  citations,
}: SearchFindings): readonly RankTrace[] {
  return kept.map((scored, index) => {
    const { chunk, score, bm25, ...ranks } = scored;
    return {
      id: chunk.id,
      score: SHOWN_SCORES[mode](score),
      ...(bm25 !== undefined && { keywordScore: -bm25 }),
      ...ranks,
      tokens: tokenCost((shown[index] ?? chunk).content),
      ...citations.get(chunk.id),
    };
  });
}

/** Callers see BM25 scores as FTS5 returns them, negative (docs/specification.md, "Search"). */
const SHOWN_SCORES: Readonly<Record<RetrievalMode, (score: number) => number>> = {
  bm25: (score) => -score,
  hybrid: (score) => score,
};

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
    sentence: `Nothing that is known seems relevant: what came closest (${count}) has a relevance below ${limit}.`,
  };
}
