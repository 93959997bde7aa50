import { cosineSimilarity, type Vector } from '../domain/ranking/vector.js';
import type { EmbeddingService, VectorLike } from '../ports/driving/embedding-service.js';
import type { Embedder } from '../ports/embedder.js';
import { checkArguments, invalidRequest } from './arguments.js';

/** Gives a host program the embedder that the store uses (docs/specification.md, "Embedding component"). */
export class Embeddings implements EmbeddingService {
  readonly #embedder: Embedder;

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  isReady(): boolean {
    return this.#embedder.isReady();
  }

  async embed(text: string): Promise<Vector> {
    checkArguments({ text });
    return this.#embedder.embed(text);
  }

  async embedBatch(texts: readonly string[]): Promise<readonly Vector[]> {
    checkArguments({ texts });
    return this.#embedder.embedBatch(texts);
  }

  cosineSimilarity(a: VectorLike, b: VectorLike): number {
    checkArguments({ a, b });
    if (a.length !== b.length) {
      throw invalidRequest('a and b must have the same dimensions.');
    }
    return cosineSimilarity(Float32Array.from(a), Float32Array.from(b));
  }
}
