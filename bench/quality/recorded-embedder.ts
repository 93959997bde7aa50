import { KnowledgeError } from '../../src/domain/errors.js';
import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';
import { splitWords } from '../../src/domain/query/query.js';
import type { Vector } from '../../src/domain/ranking/vector.js';
import type { EmbeddingModel } from '../../src/ports/embedder.js';
import type { CollectionQuery } from './collection.js';

/**
 * Returns the vectors that were recorded for queries, looked up by text. A structured query is embedded without its
 * operators, so the lookup also works with the words of a text.
 */
export class RecordedEmbedder implements EmbeddingModel {
  readonly dimensions = EMBEDDING_DIMENSIONS;
  readonly #vectors = new Map<string, Vector>();

  constructor(
    readonly model: string,
    queries: readonly CollectionQuery[],
  ) {
    for (const { text, vector } of queries) {
      if (vector === undefined) continue;
      this.#vectors.set(text, vector);
      this.#vectors.set(splitWords(text).join(' '), vector);
    }
  }

  isReady(): boolean {
    return true;
  }

  status() {
    return { state: 'ready' } as const;
  }

  load(): void {}

  async embed(text: string): Promise<Vector> {
    const vector = this.#vectors.get(text) ?? this.#vectors.get(splitWords(text).join(' '));
    if (vector === undefined) {
      throw new KnowledgeError('model_unavailable', 'No vector was recorded for this text.');
    }
    return vector;
  }

  embedBatch(texts: readonly string[]): Promise<readonly Vector[]> {
    return Promise.all(texts.map((text) => this.embed(text)));
  }

  async close(): Promise<void> {}
}
