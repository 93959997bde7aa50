import { KnowledgeError } from '../domain/errors.js';
import { ENDPOINT_FIELDS } from './config/endpoints.js';

/**
 * The error for work that needs the small language model. Names both the environment variables and the library
 * option.
 */
export function noModelError(problem: string, cause?: unknown): KnowledgeError {
  const { 'languageModel.baseUrl': url, 'languageModel.model': model } = ENDPOINT_FIELDS;
  return new KnowledgeError(
    'model_unavailable',
    `${problem}; set ${url.variable} and ${model.variable}, or the option languageModel, to a working endpoint, then try again.`,
    { cause },
  );
}
