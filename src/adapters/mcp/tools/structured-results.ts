import { z } from 'zod';
import { resultOf, shortResult } from '../../../schemas/results.js';
import type { ResultsAnswer } from '../answers/results-answer.js';

/** Search results as data, with as much of each chunk as the text shows. */
export const resultsSchema = {
  results: z
    .array(
      shortResult
        .extend({ complete: z.boolean().describe('False if the content is a preview.') })
        .meta({ id: 'ShownResult', description: 'A chunk that was found, and its score.' }),
    )
    .describe('The chunks that were found, best first.'),
  omitted: z.int().min(0).describe('Number of further results, for which max_tokens has no room.'),
} as const;

export function structuredResults({ shown, omitted }: ResultsAnswer) {
  const results = shown.map(({ complete, ...result }) => ({ ...resultOf(result), complete }));
  return { results, omitted };
}
