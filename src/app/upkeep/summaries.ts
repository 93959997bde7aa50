import { KnowledgeError, ModelCallError } from '../../domain/errors.js';
import type { Summarizer } from '../../ports/language-model.js';
import type { Logger } from '../../ports/logger.js';
import { ENDPOINT_FIELDS } from '../config/endpoints.js';

interface SummariesOptions {
  readonly summarizer: Summarizer;
  readonly logger: Logger;
}

/** The summaries of the parts of a text, or the call that failed. */
export type Summaries =
  | { readonly summaries: readonly string[] }
  | { readonly failure: ModelCallError };

/**
 * Has the parts of a text summarized, one after the other.
 * @param subject what the text is, for the log
 * @throws KnowledgeError `model_unavailable` if no model can be reached
 */
export async function summarized(
  { summarizer, logger }: SummariesOptions,
  parts: readonly string[],
  subject: string,
): Promise<Summaries> {
  if (!summarizer.isAvailable()) throw noModelError('No small language model is set');
  const summaries: string[] = [];
  try {
    for (const part of parts) {
      summaries.push(await summarizer.summarize(part));
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

/** The error for work that needs the small language model; names the variables and the option that set it. */
export function noModelError(problem: string, cause?: unknown): KnowledgeError {
  const { 'languageModel.baseUrl': url, 'languageModel.model': model } = ENDPOINT_FIELDS;
  return new KnowledgeError(
    'model_unavailable',
    `${problem}; set ${url.variable} and ${model.variable}, or the option languageModel, to a working endpoint, then try again.`,
    { cause },
  );
}
