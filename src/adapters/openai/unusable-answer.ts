import { ModelCallError } from '../../domain/errors.js';

/** The endpoint's answer cannot be used; `reason` is a complete sentence. */
export function unusable(reason: string): ModelCallError {
  return new ModelCallError('unusable', `The language model gave no usable answer. ${reason}`);
}
