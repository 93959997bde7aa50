import { MAX_RESULTS_RANGE, MAX_TOKENS_RANGE } from '../../domain/limits.js';
import type { RetrievalMode } from '../../domain/ranking/search.js';
import type { Search } from './search.js';

/** The fields of a result that an evaluation reads. */
export interface EvaluatedResult {
  readonly sourceFile: string;
  readonly heading?: string | undefined;
  readonly content: string;
  readonly relevance?: number | undefined;
}

/** The results of a question in several orders. */
export interface EvaluatedAnswer {
  /** The results shown to people, up to the highest limits. */
  readonly reading: readonly EvaluatedResult[];
  /** The same order, with nothing left out. */
  readonly everything: readonly EvaluatedResult[];
  readonly specified: readonly EvaluatedResult[];
  /** Ordered by keywords alone. */
  readonly keywords: readonly EvaluatedResult[];
  readonly mode: RetrievalMode;
}

interface EvaluationRequest {
  readonly projectPath: string;
  readonly query: string;
}

/** Runs a question in every order. Does not count as a retrieval. */
export async function askInEveryWay(
  search: Pick<Search, 'read' | 'answer'>,
  { projectPath, query }: EvaluationRequest,
): Promise<EvaluatedAnswer> {
  const asked = { projectPath, query, retrievals: 'uncounted' } as const;
  const limits = { maxResults: MAX_RESULTS_RANGE.max, maxTokens: MAX_TOKENS_RANGE.max };
  const shown = await search.read({ ...asked, ...limits });
  const everything = await search.read({ ...asked, ...limits, all: true });
  const specified = await search.answer(asked);
  const { results } = everything.explanation;
  const toRank = (i: number) => results[i]?.keywordRank ?? Number.POSITIVE_INFINITY;
  const byKeywords = everything.results
    .map((result, i) => ({ result, rank: toRank(i) }))
    .filter(({ rank }) => Number.isFinite(rank))
    .sort((a, b) => a.rank - b.rank)
    .map(({ result: { chunk } }) => ({ chunk }));
  return {
    reading: shown.results.map(toEvaluatedResult),
    everything: everything.results.map(toEvaluatedResult),
    specified: specified.results.map(toEvaluatedResult),
    keywords: byKeywords.map(toEvaluatedResult),
    mode: everything.retrievalMode,
  };
}

function toEvaluatedResult({
  chunk: { sourceFile, heading, content },
  relevance,
}: {
  readonly chunk: Omit<EvaluatedResult, 'relevance'>;
  readonly relevance?: number;
}): EvaluatedResult {
  return { sourceFile, heading, content, relevance };
}
