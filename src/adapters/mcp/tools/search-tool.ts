import { z } from 'zod';
import { MAX_TOKENS_RANGE } from '../../../domain/limits.js';
import type { SearchService } from '../../../ports/driving/search-service.js';
import { retrievalMode } from '../../../schemas/explanation.js';
import { searchFields } from '../../../schemas/fields.js';
import { resultsAnswer } from '../answers/results-answer.js';
import { DEFAULT_ANSWER_RESULTS, DEFAULT_ANSWER_TOKENS, RESULT_MIN_TOKENS } from '../limits.js';
import { maxResults, maxTokens, project } from './arguments.js';
import { resultsSchema, structuredResults } from './structured-results.js';
import { type Tool, tool } from './tool.js';

/** Finds chunks by keyword and meaning. */
export function searchTool(store: SearchService): Tool {
  return tool({
    name: 'search',
    title: 'Search the project knowledge',
    description:
      'Searches what is known about this project: reflections and outputs of finished work, memory notes and its documentation. Use it before you start on something, and when something is unclear. Plain words are best; an exact phrase in double quotes, AND, OR, NOT and prefix* are understood too. Returns chunks with id, file, heading and score, best first; long ones as previews.',
    effect: 'reads',
    input: z.object({
      query: searchFields.query,
      project,
      max_results: maxResults,
      max_tokens: maxTokens,
      source_types: searchFields.sourceTypes,
    }),
    output: z.object({ ...resultsSchema, retrieval_mode: retrievalMode }),
    answer: async (projectPath, { query, source_types: sourceTypes, ...limits }) => {
      const budget = limits.max_tokens ?? DEFAULT_ANSWER_TOKENS;
      const found = await store.search(projectPath, query, {
        maxResults: showable(limits.max_results ?? DEFAULT_ANSWER_RESULTS, budget),
        // A chunk that does not fit whole is shown as a preview.
        maxTokens: MAX_TOKENS_RANGE.max,
        ...(sourceTypes !== undefined && { sourceTypes }),
      });
      const answer = resultsAnswer({
        results: found.results,
        terms: found.explanation.query.terms,
        maxTokens: budget,
        otherwise: found.indexing === undefined ? NOTHING_FOUND : INDEXING,
      });
      return {
        text: answer.text,
        structured: { ...structuredResults(answer), retrieval_mode: found.retrievalMode },
      };
    },
  });
}

/** No more than the budget can show: what is found counts as retrieved. */
function showable(maxResults: number, budget: number): number {
  return Math.max(1, Math.min(maxResults, Math.floor(budget / RESULT_MIN_TOKENS)));
}

const INDEXING =
  'No results yet: the files of the project are being indexed for the first time. Search again in a few seconds.';
const NOTHING_FOUND =
  'No results. Try other or fewer words. If status shows no chunks, call ingest first.';
