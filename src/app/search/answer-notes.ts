import type { AnswerNote, Explanation } from '../../domain/search.js';
import { RECOMMENDED_SETTINGS, type Settings } from '../../domain/settings.js';

export interface AnswerFacts {
  readonly explanation: Omit<Explanation, 'notes'>;
  readonly settings: Settings;
  readonly request: RequestFacts;
  /** Tokens of the best chunk, returned or not; absent if nothing was found. */
  readonly bestTokens?: number | undefined;
  /** Whether the embedding model was still loading, so that no vectors were compared. */
  readonly isModelLoading: boolean;
}

export interface RequestFacts {
  readonly minRelevance?: number | undefined;
  /** Whether the request itself says how candidates are chosen and merged. */
  readonly choosesRanking: boolean;
  /** Whether chunks would be found without the filter of the request. */
  readonly isFiltered: boolean;
}

/** What a caller should know about an answer: why it is empty, or may lack something. */
export function notesOf(facts: AnswerFacts): readonly AnswerNote[] {
  const notes = [whyEmpty(facts), ...OTHER_NOTES.map((noteOf) => noteOf(facts))];
  return notes.filter((note) => note !== undefined);
}

export const INDEXING_NOTE: AnswerNote = {
  code: 'indexing',
  sentence: 'The project is being indexed for the first time; more can be found when that is done.',
};

/** Results below this are more likely irrelevant than not. */
const LIKELY_RELEVANT = 0.5;

function whyEmpty(facts: AnswerFacts): AnswerNote | undefined {
  const { explanation, request, bestTokens } = facts;
  const { query, candidates, budget } = explanation;
  if (explanation.results.length > 0) return undefined;
  if (bestTokens !== undefined) {
    const sentence = `The best chunk takes ${bestTokens} tokens, more than the budget of ${budget.maxTokens}.`;
    return { code: 'budget', sentence };
  }
  if (candidates.belowRelevance !== undefined) return tooIrrelevant(facts);
  if (request.isFiltered) {
    const sentence = 'Chunks match the query, but none with these source types and tags.';
    return { code: 'filters', sentence };
  }
  if (query.terms.length === 0) {
    return { code: 'no_words', sentence: 'The query has no letter or digit to look for.' };
  }
  return { code: 'no_match', sentence: 'No chunk matches the query.' };
}

function tooIrrelevant({ explanation, settings, request }: AnswerFacts): AnswerNote {
  const { relevanceFloor } = settings;
  const { minRelevance = 0 } = request;
  const limit =
    minRelevance > relevanceFloor
      ? `${minRelevance}, the minRelevance of the request`
      : `${relevanceFloor}, the setting relevanceFloor`;
  const count = explanation.candidates.belowRelevance;
  return {
    code: 'irrelevant',
    sentence: `Nothing that is known seems relevant: what came closest (${count}) has a relevance below ${limit}.`,
  };
}

type NoteOf = (facts: AnswerFacts) => AnswerNote | undefined;

const OTHER_NOTES: readonly NoteOf[] = [
  ({ explanation }) => {
    const relevances = explanation.results.flatMap(({ relevance }) => relevance ?? []);
    const best = Math.max(...relevances);
    if (relevances.length === 0 || LIKELY_RELEVANT <= best) return undefined;
    const sentence = `Nothing that is known here seems relevant: the best result has a relevance of ${best.toFixed(2)}.`;
    return { code: 'not_relevant', sentence };
  },
  ({ isModelLoading }) =>
    isModelLoading
      ? {
          code: 'model_loading',
          sentence: 'The embedding model is still loading, so only words were compared.',
        }
      : undefined,
  ({ explanation, request }) =>
    request.minRelevance !== undefined && explanation.mode.value === 'bm25'
      ? {
          code: 'no_relevance',
          sentence: 'Relevance is not known without vectors, so minRelevance was not applied.',
        }
      : undefined,
  ({ explanation, settings, request }) => {
    const { fusion, candidates } = RECOMMENDED_SETTINGS;
    const isRecommended = settings.fusion === fusion && settings.candidates === candidates;
    const isMerged = explanation.mode.value === 'hybrid';
    if (isRecommended || request.choosesRanking || !isMerged) return undefined;
    const sentence = `The settings "fusion": "${fusion}" and "candidates": "${candidates}" found more on the collections that were measured.`;
    return { code: 'better_settings', sentence };
  },
];
