import type { AnswerNote, Explanation } from '../../domain/search.js';
import { RECOMMENDED_SETTINGS } from '../../domain/settings.js';
import type { Lacking, RetrievalRequest } from './retriever.js';

/** What an answer is made by, besides what was retrieved. */
export interface AnswerContext {
  readonly request: RetrievalRequest;
  /** The path by which the project was opened: it may have been moved since its chunks were stored. */
  readonly projectPath: string;
  /** Whether the caller says how candidates are chosen and merged. */
  readonly choosesRanking: boolean;
  /** Whether chunks would be found without the filter of the request. */
  readonly isFiltered: boolean;
}

interface AnswerFacts {
  readonly explanation: Omit<Explanation, 'notes'>;
  readonly context: AnswerContext;
  /** Tokens of the best chunk, returned or not; absent if nothing was found. */
  readonly bestTokens?: number | undefined;
  /** Why no vectors were compared, if that will pass. */
  readonly lacking?: Lacking | undefined;
  /** How many chunks the setting `staleChunks` left out. */
  readonly hiddenStale: number;
}

/** What a caller should know about an answer: why it is empty, or may lack something. */
export function notesOf(facts: AnswerFacts): readonly AnswerNote[] {
  return NOTES.flatMap((noteOf) => noteOf(facts) ?? []);
}

export const INDEXING_NOTE: AnswerNote = {
  code: 'indexing',
  sentence: 'The project is being indexed for the first time; more can be found when that is done.',
};

const NOTES: readonly ((facts: AnswerFacts) => AnswerNote | undefined)[] = [
  whyEmpty,
  ({ explanation }) => {
    const relevances = explanation.results.flatMap(({ relevance }) => relevance ?? []);
    const best = Math.max(...relevances);
    if (relevances.length === 0 || LIKELY_RELEVANT <= best) return undefined;
    const sentence = `Nothing that is known here seems relevant: the best result has a relevance of ${best.toFixed(2)}.`;
    return { code: 'not_relevant', sentence };
  },
  ({ lacking }) => lacking && LACKING[lacking],
  ({ explanation, context }) => {
    if (context.request.minRelevance === undefined || explanation.mode.value === 'hybrid')
      return undefined;
    const sentence = 'Relevance is not known without vectors, so minRelevance was not applied.';
    return { code: 'no_relevance', sentence };
  },
  ({ explanation, context: { request, choosesRanking } }) => {
    const { fusion, candidates } = RECOMMENDED_SETTINGS;
    const { settings } = request;
    const isRecommended = settings.fusion === fusion && settings.candidates === candidates;
    const isMerged = explanation.mode.value === 'hybrid';
    if (isRecommended || choosesRanking || !isMerged) return undefined;
    const sentence = `The settings "fusion": "${fusion}" and "candidates": "${candidates}" found more on the collections that were measured.`;
    return { code: 'better_settings', sentence };
  },
];

const LACKING: Readonly<Record<Lacking, AnswerNote>> = {
  model: {
    code: 'model_loading',
    sentence: 'The embedding model is still loading, so only words were compared.',
  },
  vectors: {
    code: 'no_vectors',
    sentence: 'No chunk has a vector yet, so only words were compared; "ingest" makes vectors.',
  },
};

/** Results below this are more likely irrelevant than not. */
const LIKELY_RELEVANT = 0.5;

function whyEmpty(facts: AnswerFacts): AnswerNote | undefined {
  const { explanation, context, bestTokens, hiddenStale } = facts;
  const { query, candidates, budget } = explanation;
  if (explanation.results.length > 0) return undefined;
  if (bestTokens !== undefined) {
    const sentence = `The best chunk takes ${bestTokens} tokens, more than the budget of ${budget.maxTokens}.`;
    return { code: 'budget', sentence };
  }
  if (hiddenStale > 0) {
    const sentence = `What matches (${hiddenStale}) cites files that have changed or are gone; the setting "staleChunks": "hide" leaves it out.`;
    return { code: 'stale', sentence };
  }
  if (candidates.belowRelevance !== undefined) return tooIrrelevant(facts);
  if (context.isFiltered) {
    const sentence = 'Chunks match the query, but none with these source types and tags.';
    return { code: 'filters', sentence };
  }
  if (query.terms.length === 0) {
    return { code: 'no_words', sentence: 'The query has no letter or digit to look for.' };
  }
  return { code: 'no_match', sentence: 'No chunk matches the query.' };
}

function tooIrrelevant({ explanation, context }: AnswerFacts): AnswerNote {
  const { minRelevance = 0, settings } = context.request;
  const { relevanceFloor } = settings;
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
