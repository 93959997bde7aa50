import { KnowledgeError, ModelCallError } from '../../domain/errors.js';
import { SUMMARY_TEXT_MAX_CHARACTERS } from '../../domain/limits.js';
import type { Summarizer } from '../../ports/language-model.js';
import type { Logger } from '../../ports/logger.js';
import { ENDPOINT_FIELDS } from '../config/endpoints.js';
import { type Measuring, measuredTask } from '../measured-calls.js';

interface SummariesOptions extends Measuring {
  readonly summarizer: Summarizer;
  readonly logger: Logger;
}

/** The summaries of the parts of a text, or the call that failed. */
export type Summaries =
  | { readonly summaries: readonly string[] }
  | { readonly failure: ModelCallError };

/**
 * Has the parts of a text summarized, one after the other.
 * @param subject a name for the text, for the log
 * @throws KnowledgeError `model_unavailable` if no model can be reached
 */
export async function summarized(
  options: SummariesOptions,
  parts: readonly string[],
  subject: string,
): Promise<Summaries> {
  const { summarizer, logger } = options;
  if (summarizer.isAvailable?.() === false) throw noModelError('No small language model is set');
  const summaries: string[] = [];
  try {
    for (const part of parts) {
      summaries.push(await measuredTask(options, 'summary', () => summarizer.summarize(part)));
      const fields = { subject, part: summaries.length, of: parts.length };
      logger.info('A part of a text was summarized.', fields);
    }
    return { summaries };
  } catch (error) {
    if (!(error instanceof ModelCallError)) throw error;
    if (error.failure !== 'not_configured' && error.failure !== 'unreachable')
      return { failure: error };
    throw noModelError('No small language model can be reached', error);
  }
}

/** The maximum length of a text for one call. */
export function maxSummarized({ maxCharacters = SUMMARY_TEXT_MAX_CHARACTERS }: Summarizer): number {
  return maxCharacters;
}

/** The error for work that needs the small language model; names the variables and the option that set it. */
export function noModelError(problem: string, cause?: unknown): KnowledgeError {
  const { 'languageModel.baseUrl': url, 'languageModel.model': model } = ENDPOINT_FIELDS;
  return new KnowledgeError(
    'model_unavailable',
    `${problem}; set ${url.variable} and ${model.variable}, or the option languageModel, to a working endpoint, then try again.`,
    { cause },
  );
}
