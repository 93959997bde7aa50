import type { VectorEntry, VectorIndex } from '../../src/ports/driven/vector-index.js';

/** A vector index that stores vectors in another one, and cannot compare them. */
export class IncomparableVectorIndex implements VectorIndex {
  readonly #stored: VectorIndex;

  constructor(stored: VectorIndex) {
    this.#stored = stored;
  }

  put(entries: readonly VectorEntry[]) {
    return this.#stored.put(entries);
  }

  vectorsOf(chunkIds: readonly string[]) {
    return this.#stored.vectorsOf(chunkIds);
  }

  async similarities() {
    return new Map<string, number>();
  }

  async nearest() {
    return [];
  }

  async cosineStatistics() {
    return { mean: 0, deviation: 0 };
  }

  pending(limit: number) {
    return this.#stored.pending(limit);
  }

  status() {
    return this.#stored.status();
  }
}
