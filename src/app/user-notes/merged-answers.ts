import { DEFAULT_MAX_RESULTS, DEFAULT_MAX_TOKENS } from '../../domain/limits.js';
import { type Budgeted, withinBudget } from '../../domain/ranking/budget.js';
import { withUserResults } from '../../domain/ranking/merged-results.js';
import { isDoubtful, shownFor } from '../../domain/ranking/relevance.js';
import { isTransient, type SearchResult } from '../../domain/ranking/search.js';
import type {
  AnswerNote,
  Explanation,
  ReadAnswer,
  SearchAnswer,
} from '../../schemas/explanation.js';
import type { SearchParameters } from '../search/retrieval.js';

/** The answer of a search, with results of any type. */
export type Answer<Result> = Omit<SearchAnswer, 'results'> & {
  readonly results: readonly Result[];
};

type Limits = Pick<SearchParameters, 'query' | 'maxResults' | 'maxTokens' | 'all' | 'minRelevance'>;

/** Merges the answers for people and agents of a project and of user notes. */
export function mergeReading(own: ReadAnswer, ofUser: ReadAnswer, asked: Limits): ReadAnswer {
  const notes = ofUser.results.map((result) => ({ ...result, scope: 'user' }) as const);
  const { leftOut, ...merged } = mergeAnswers(own, { ...ofUser, results: notes }, asked);
  return {
    ...merged,
    weak: isDoubtful(merged.results),
    leftOut: own.leftOut + ofUser.leftOut + leftOut,
  };
}

/** Merges the answers of a project and of user notes, without weak results and within the budget. */
export function mergeAnswers<Result extends SearchResult>(
  own: Answer<Result>,
  ofUser: Answer<Result>,
  asked: Limits,
) {
  const { query, maxResults = DEFAULT_MAX_RESULTS, maxTokens = DEFAULT_MAX_TOKENS } = asked;
  const all = withUserResults(own.results, ofUser.results, query);
  const shown = shownFor(all, asked);
  const budgeted = withinBudget(shown, { maxResults, maxTokens });
  const cut = shown.length - budgeted.kept.length;
  return {
    results: budgeted.kept,
    retrievalMode: own.retrievalMode === 'bm25' ? ofUser.retrievalMode : own.retrievalMode,
    totalTokens: budgeted.usedTokens,
    leftOut: all.length - shown.length,
    explanation: mergeExplanations(own.explanation, ofUser.explanation, { ...budgeted, cut }),
  };
}

interface Cut extends Budgeted<SearchResult> {
  /** Number of results cut by the budget of the merged answer. */
  readonly cut: number;
}

function mergeExplanations(
  own: Explanation,
  ofUser: Explanation,
  { kept, usedTokens, reason, cut }: Cut,
): Explanation {
  const traces = [...own.results, ...ofUser.results];
  return {
    ...own,
    results: kept.flatMap(({ chunk }) => traces.filter(({ id }) => id === chunk.id)),
    budget: {
      ...own.budget,
      usedTokens,
      cut: own.budget.cut + cut,
      ...(reason !== 'nothing cut' && { reason }),
    },
    notes: mergeRemarks(own.notes, ofUser.notes, kept),
  };
}

/**
 * Keeps the project's remarks, except those about an empty answer, because user notes were found. The doubt about
 * relevance stays only if the merged results are doubtful, too.
 */
function mergeRemarks(
  own: readonly AnswerNote[],
  ofUser: readonly AnswerNote[],
  results: readonly SearchResult[],
): readonly AnswerNote[] {
  const doubt = [...own, ...ofUser].find(({ code }) => code === 'not_relevant');
  const others = own.filter(({ code }) => !OF_EMPTY.has(code) && code !== 'not_relevant');
  const mayBeMissing = others.some(isTransient);
  return isDoubtful(results) && doubt !== undefined && !mayBeMissing ? [doubt, ...others] : others;
}

const OF_EMPTY: ReadonlySet<AnswerNote['code']> = new Set([
  'budget',
  'irrelevant',
  'no_match',
  'never_indexed',
]);
