import { KnowledgeError } from '../../domain/errors.js';
import { EMBEDDING_DIMENSIONS } from '../../domain/limits.js';
import type { Vector } from '../../domain/ranking/vector.js';
import type { Embedder } from '../../ports/driven/embedder.js';

/** Stands where nothing is embedded: never ready, and every call fails. */
export class NoEmbedder implements Embedder {
  readonly dimensions = EMBEDDING_DIMENSIONS;

  constructor(readonly model: string) {}

  isReady(): boolean {
    return false;
  }

  state(): 'absent' {
    return 'absent';
  }

  load(): void {}

  async embed(): Promise<Vector> {
    throw unavailable();
  }

  async embedBatch(texts: readonly string[]): Promise<readonly Vector[]> {
    if (texts.length === 0) return [];
    throw unavailable();
  }

  async close(): Promise<void> {}
}

function unavailable(): KnowledgeError {
  return new KnowledgeError('model_unavailable', 'This variant has no embedding model.');
}
