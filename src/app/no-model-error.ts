import { KnowledgeError } from '../domain/errors.js';
import { FIELDS } from './config/fields.js';

/** What a caller reads when work needs the small language model, in the words of the process and of the library. */
export function noModelError(problem: string, cause?: unknown): KnowledgeError {
  const { languageModelUrl, languageModelName } = FIELDS;
  return new KnowledgeError(
    'model_unavailable',
    `${problem}; set ${languageModelUrl.variable} and ${languageModelName.variable}, or the option languageModel, to an endpoint that answers, then try again.`,
    { cause },
  );
}
