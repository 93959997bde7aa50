import { sourceOfId } from '../../src/domain/chunks/chunk.js';
import { queuesBy } from '../../src/domain/chunks/source-plan.js';
import {
  type CosineStatistics,
  cosineSimilarity,
  isStorable,
  nearestFirst,
  normalized,
  type Vector,
} from '../../src/domain/ranking/vector.js';
import type { VectorStatus } from '../../src/domain/stats.js';
import type { ChunkFilter } from '../../src/ports/driven/chunk-filter.js';
import type { EmbeddableText, EmbeddableTexts } from '../../src/ports/driven/embeddable-texts.js';
import type {
  Neighbour,
  PendingVector,
  VectorEntry,
  VectorIndex,
} from '../../src/ports/driven/vector-index.js';

/**
 * Vectors in memory, for the texts of any store; lost when the process ends. Every lookup reads all
 * texts and compares with all vectors, which is suitable for tests and for up to about 10,000 chunks.
 */
export class InMemoryVectorIndex implements VectorIndex {
  readonly #texts: EmbeddableTexts;
  readonly #dimensions: number;
  #stored: ReadonlyMap<string, StoredVector> = new Map();

  constructor(texts: EmbeddableTexts, dimensions: number) {
    this.#texts = texts;
    this.#dimensions = dimensions;
  }

  async put(entries: readonly VectorEntry[]): Promise<number> {
    const present = await this.#texts.of(entries.map(({ chunkId }) => chunkId));
    const keys = new Map(present.map((text) => [text.chunkId, keyOf(text)]));
    const complete = this.#currentVectors(await this.#texts.all());
    const accepted = entries.flatMap((entry) => {
      const unit = isStorable(entry.vector, this.#dimensions)
        ? normalized(entry.vector)
        : undefined;
      const key = keyOf(entry);
      const isPending = keys.get(entry.chunkId) === key && !complete.has(entry.chunkId);
      return unit !== undefined && isPending ? [[entry.chunkId, { key, unit }] as const] : [];
    });
    this.#stored = new Map([...this.#stored, ...accepted]);
    return accepted.length;
  }

  async vectorsOf(chunkIds: readonly string[]): Promise<ReadonlyMap<string, Vector>> {
    const stored = this.#currentVectors(await this.#texts.all());
    return new Map(
      chunkIds.flatMap((id) => {
        const unit = stored.get(id)?.unit;
        return unit === undefined ? [] : [[id, unit]];
      }),
    );
  }

  async similarities(
    query: Vector,
    chunkIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const stored = await this.#comparableTo(query);
    return new Map(
      chunkIds.flatMap((id) => {
        const vector = stored.get(id);
        return vector === undefined ? [] : [[id, cosineSimilarity(query, vector.unit)]];
      }),
    );
  }

  async nearest(query: Vector, filter: ChunkFilter, limit: number): Promise<readonly Neighbour[]> {
    const stored = await this.#comparableTo(query);
    const allowed = await this.#texts.matching([...stored.keys()], filter);
    return Array.from(stored)
      .filter(([chunkId]) => allowed.has(chunkId))
      .map(([chunkId, { unit }]) => ({ chunkId, cosine: cosineSimilarity(query, unit) }))
      .toSorted(nearestFirst)
      .slice(0, limit);
  }

  async cosineStatistics(query: Vector): Promise<CosineStatistics> {
    const stored = await this.#comparableTo(query);
    const cosines = Array.from(stored.values(), ({ unit }) => cosineSimilarity(query, unit));
    const mean = average(cosines);
    return { mean, deviation: Math.sqrt(average(cosines.map((cosine) => (cosine - mean) ** 2))) };
  }

  async pending(limit: number): Promise<readonly PendingVector[]> {
    const texts = await this.#texts.all();
    const stored = this.#currentVectors(texts);
    return texts.filter(({ chunkId }) => !stored.has(chunkId)).slice(0, limit);
  }

  async status(): Promise<VectorStatus> {
    const complete = this.#currentVectors(await this.#texts.all()).size;
    return { complete, pending: (await this.#texts.countChunks()) - complete };
  }

  /** Moves vectors to new chunk ids; `ids` maps former ids to new ones. */
  rename(ids: ReadonlyMap<string, string>): void {
    this.#stored = new Map(Array.from(this.#stored, ([id, stored]) => [ids.get(id) ?? id, stored]));
  }

  async #comparableTo(query: Vector): Promise<ReadonlyMap<string, StoredVector>> {
    if (!isStorable(query, this.#dimensions)) return new Map();
    return this.#currentVectors(await this.#texts.all());
  }

  /**
   * The vectors of the current texts. A vector whose chunk has another text now is dropped, or moved to
   * the chunk of the same source that has its text now.
   */
  #currentVectors(texts: readonly EmbeddableText[]): ReadonlyMap<string, StoredVector> {
    const present = new Map(texts.map((text) => [text.chunkId, keyOf(text)]));
    const isInPlace = ([id, { key }]: readonly [string, StoredVector]) => present.get(id) === key;
    const all = [...this.#stored];
    const stored = new Map(all.filter(isInPlace));
    const moved = queuesBy(
      all.filter((one) => !isInPlace(one)),
      ([id, { key }]) => moveKey(id, key),
    );
    for (const [id, key] of moved.size === 0 ? [] : present) {
      const found = stored.has(id) ? undefined : moved.get(moveKey(id, key))?.next().value;
      if (found !== undefined) stored.set(id, found[1]);
    }
    this.#stored = stored;
    return stored;
  }
}

interface StoredVector {
  /** Identifies the texts that were embedded. */
  readonly key: string;
  /** Of length 1. */
  readonly unit: Vector;
}

function keyOf({ texts }: EmbeddableText): string {
  return JSON.stringify(texts);
}

function moveKey(chunkId: string, key: string): string {
  return `${sourceOfId(chunkId)}\n${key}`;
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
