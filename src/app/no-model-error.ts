import { KnowledgeError } from '../domain/errors.js';
import { FIELDS } from './config/fields.js';

/**
 * The error for work that needs the small language model. Names both the environment variables and the library
 * option.
 */
export function noModelError(problem: string, cause?: unknown): KnowledgeError {
  const { languageModelUrl, languageModelName } = FIELDS;
  return new KnowledgeError(
    'model_unavailable',
    `${problem}; set ${languageModelUrl.variable} and ${languageModelName.variable}, or the option languageModel, to a working endpoint, then try again.`,
    { cause },
  );
}
