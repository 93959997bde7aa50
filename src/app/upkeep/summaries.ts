import { KnowledgeError, ModelCallError, type ModelCallFailure } from '../../domain/errors.js';
import { SUMMARY_TEXT_MAX_CHARACTERS } from '../../domain/limits.js';
import type { Summarizer } from '../../ports/language-model.js';
import type { Logger } from '../../ports/logger.js';
import { ENDPOINT_FIELDS } from '../config/endpoints.js';
import { type Measuring, measureTask } from '../measured-calls.js';

interface SummariesOptions extends Measuring {
  readonly summarizer: Summarizer;
  readonly logger: Logger;
}

/** The summaries of the parts of a text, or the call that failed. */
export type Summaries =
  | { readonly summaries: readonly string[] }
  | { readonly failure: ModelCallError };

/**
 * Summarizes the parts of a text, one after the other.
 * @param subject a name for the text, for the log
 * @throws KnowledgeError `model_unavailable` if no model is configured or can be reached
 */
export async function summarize(
  options: SummariesOptions,
  parts: readonly string[],
  subject: string,
): Promise<Summaries> {
  const { summarizer, logger } = options;
  if (summarizer.isAvailable?.() === false) throw noModelError();
  const summaries: string[] = [];
  try {
    for (const part of parts) {
      summaries.push(await measureTask(options, 'summary', () => summarizer.summarize(part)));
      const fields = { subject, part: summaries.length, of: parts.length };
      logger.info('Part of a text was summarized.', fields);
    }
    return { summaries };
  } catch (error) {
    if (!(error instanceof ModelCallError)) throw error;
    if (error.failure !== 'not_configured' && error.failure !== 'unreachable')
      return { failure: error };
    throw noModelError(error);
  }
}

/** The maximum length of a text for one call, in characters. */
export function maxSummarized({ maxCharacters = SUMMARY_TEXT_MAX_CHARACTERS }: Summarizer): number {
  return maxCharacters;
}

/**
 * The error for work that needs the small language model.
 * @param cause the failed call; absent if no model is configured
 */
export function noModelError(cause?: ModelCallError): KnowledgeError {
  const sentence = SENTENCES[cause?.failure ?? 'not_configured'];
  return new KnowledgeError('model_unavailable', sentence, { cause });
}

const { 'languageModel.baseUrl': URL_FIELD, 'languageModel.model': MODEL_FIELD } = ENDPOINT_FIELDS;
const SETTINGS = `${URL_FIELD.variable} and ${MODEL_FIELD.variable}, or the option languageModel`;

const SENTENCES: Readonly<Record<ModelCallFailure, string>> = {
  not_configured: `No small language model is configured; set ${SETTINGS}, then try again.`,
  unreachable: `The small language model cannot be reached; check ${SETTINGS}, then try again.`,
  refused: `The small language model refused the request; check ${SETTINGS}, then try again.`,
  throttled: 'The small language model is overloaded; try again later.',
  failed: 'The small language model failed; try again later.',
  unusable: 'The small language model returned no usable answer; try again later.',
};
