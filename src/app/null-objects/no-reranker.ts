import { ModelCallError } from '../../domain/errors.js';
import type { Reranker } from '../../ports/driven/reranker.js';

/** Null object used when no endpoint is configured. */
export const noReranker: Reranker = {
  isAvailable: () => false,
  rerank: async () => {
    throw new ModelCallError('not_configured', 'No reranker is configured.');
  },
};
