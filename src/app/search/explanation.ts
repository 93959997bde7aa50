import { chunksHave } from '../../domain/figures.js';
import { wantedTerms } from '../../domain/query/expression.js';
import type { Query } from '../../domain/query/query.js';
import { notAnAnswer } from '../../domain/ranking/relevance.js';
import type { ScoredChunk } from '../../domain/ranking/scored-chunk.js';
import type { SearchResult } from '../../domain/ranking/search.js';
import { tokenCost } from '../../domain/text.js';
import type { AnswerNote, Explanation, RankTrace } from '../../schemas/explanation.js';
import { isWeak, type SearchFindings } from './findings.js';
import type { Retrieved } from './retrieval.js';

/** Explains how a search produced its results. @param results in display order */
export async function explain(
  findings: SearchFindings,
  results: readonly SearchResult[],
): Promise<Explanation> {
  const { retrieved, request, arranged, budgeted, indexing } = findings;
  const { query, match, mode, modeReason, fusion, reranking, counts } = retrieved;
  const { ranked, leftOut } = arranged;
  const { maxResults, maxTokens } = request;
  const traces = results.map((result, i) => traceRank(result, budgeted.kept[i]));
  const cut = ranked.length - budgeted.kept.length;
  return {
    query: { kind: query.kind, terms: listTerms(query) },
    match,
    mode: { value: mode, reason: modeReason },
    ...(indexing !== undefined && indexing !== 'to_come' && { indexing }),
    ...(fusion !== undefined && { fusion }),
    ...(reranking !== undefined && { reranking }),
    candidates: { ...counts, ...(leftOut > 0 && { belowRelevance: leftOut }) },
    results: traces,
    budget: {
      maxResults,
      maxTokens,
      usedTokens: budgeted.usedTokens,
      cut,
      reason: budgeted.reason,
    },
    notes: remarksOn(findings, traces, await countWithoutVectors(findings)),
  };
}

/**
 * Counts the chunks without a vector, if they may matter: no vectors could be used, or a hybrid search has candidates
 * without one or weak results. Otherwise 0.
 */
async function countWithoutVectors(findings: SearchFindings): Promise<number> {
  const { project, retrieved } = findings;
  const { mode, ranked, lacks } = retrieved;
  const isLacking =
    lacks === 'vectors' ||
    (mode === 'hybrid' && (isWeak(findings) || ranked.some(({ cosine }) => cosine === undefined)));
  return isLacking ? (await project.store.vectors.status('stored')).pending : 0;
}

function listTerms(query: Query): readonly string[] {
  if (query.kind === 'plain') return query.words;
  return wantedTerms(query.expression).map((term) => term.text);
}

function traceRank({ chunk, ...shown }: SearchResult, scored: ScoredChunk | undefined): RankTrace {
  const { chunk: _, score: __, bm25, ...ranks } = scored ?? {};
  return {
    id: chunk.id,
    tokens: tokenCost(chunk.content),
    ...ranks,
    ...(bm25 !== undefined && { keywordScore: -bm25 }),
    ...shown,
  };
}

/** Lists remarks for the caller: why an answer is empty or incomplete. */
function remarksOn(
  findings: SearchFindings,
  traces: readonly RankTrace[],
  withoutVectors: number,
): readonly AnswerNote[] {
  const { retrieved, arranged, indexing } = findings;
  const best = Math.max(...arranged.ranked.map(({ relevance = 0 }) => relevance));
  const notes: (AnswerNote | false)[] = [
    traces.length === 0 && (indexing === 'to_come' ? NEVER_INDEXED : whyEmpty(findings)),
    traces.length > 0 && isWeak(findings) && withoutVectors === 0 && notRelevant(best),
    retrieved.lacks !== undefined && {
      code: `no_${retrieved.lacks}`,
      sentence: `${retrieved.modeReason} This search used keywords only${traces.length > 0 ? ', so results have no relevance' : ''}.`,
    },
    lackingVectors(findings, withoutVectors),
    correctionNote(retrieved),
    indexing !== undefined && indexing !== 'to_come' && INDEXING,
  ];
  return notes.filter((note) => note !== false);
}

function correctionNote({ corrections = [] }: Retrieved): AnswerNote | false {
  const sentences = corrections.map(
    ({ typed, found }) => `"${typed}" occurs nowhere; showing results for "${found}".`,
  );
  return sentences.length > 0 && { code: 'corrected', sentence: sentences.join(' ') };
}

/**
 * Says that chunks lack a vector. Shown instead of the remark that results are weak, because better ones may be
 * missing.
 */
function lackingVectors(findings: SearchFindings, withoutVectors: number): AnswerNote | false {
  if (withoutVectors === 0 || findings.retrieved.lacks === 'vectors') return false;
  const [them, they] = withoutVectors === 1 ? ['it', 'it has'] : ['them', 'they have'];
  const rest = isWeak(findings) ? 'a better answer may be missing' : `${they} no relevance`;
  const sentence = `${chunksHave(withoutVectors)} no vector yet: only keywords find ${them}, and ${rest}.`;
  return { code: 'no_vectors', sentence };
}

function notRelevant(best: number): AnswerNote {
  return { code: 'not_relevant', sentence: notAnAnswer(best) };
}

const INDEXING: AnswerNote = {
  code: 'indexing',
  sentence: 'The project is being indexed for the first time; results are incomplete until then.',
};

const NEVER_INDEXED: AnswerNote = {
  code: 'never_indexed',
  sentence: 'This project has not been indexed yet; run ingest first.',
};

function whyEmpty({ retrieved, arranged, request, hiddenStale }: SearchFindings): AnswerNote {
  const [best] = arranged.ranked;
  if (best !== undefined) {
    const cost = tokenCost(best.chunk.content);
    const sentence = `The best chunk takes ${cost} tokens, more than the budget of ${request.maxTokens}.`;
    return { code: 'budget', sentence };
  }
  if (hiddenStale > 0) {
    const sentence = `The matching chunks (${hiddenStale}) cite files that were changed or deleted; the setting "staleChunks": "hide" leaves them out.`;
    return { code: 'no_match', sentence };
  }
  if (arranged.leftOut > 0) {
    const chunks = arranged.leftOut === 1 ? 'chunk has' : `${arranged.leftOut} chunks have`;
    const sentence = `The closest ${chunks} a relevance below ${request.minRelevance} (minRelevance).`;
    return { code: 'irrelevant', sentence };
  }
  const hasTerms = listTerms(retrieved.query).length > 0;
  const sentence = hasTerms ? 'No chunk matches.' : 'The query contains no letter or digit.';
  return { code: 'no_match', sentence };
}
