import { KnowledgeError } from '../../domain/errors.js';
import { EMBEDDING_DIMENSIONS } from '../../domain/limits.js';
import type { Embedder } from '../../ports/driven/embedder.js';

/** Null object for variants without embeddings. Never ready; every call fails with `model_unavailable`. */
export function noEmbedder(model: string): Embedder {
  return {
    model,
    dimensions: EMBEDDING_DIMENSIONS,
    isReady: () => false,
    state: () => 'absent',
    failure: () => NO_MODEL,
    load: () => undefined,
    embed: async () => unavailable(),
    embedBatch: async (texts) => (texts.length === 0 ? [] : unavailable()),
    close: async () => undefined,
  };
}

function unavailable(): never {
  throw new KnowledgeError('model_unavailable', NO_MODEL);
}

const NO_MODEL = 'This variant has no embedding model; use the hybrid variant.';
