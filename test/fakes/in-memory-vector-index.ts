import { embeddingText } from '../../src/domain/chunks/chunk.js';
import { EMBEDDING_DIMENSIONS } from '../../src/domain/limits.js';
import {
  cosineSimilarity,
  isStorable,
  normalized,
  type Vector,
} from '../../src/domain/ranking/vector.js';
import type { ChunkFilter } from '../../src/ports/driven/chunk-repository.js';
import type { Neighbour, VectorEntry, VectorIndex } from '../../src/ports/driven/vector-index.js';
import type { Row, StoredVector, Tables } from './in-memory-disk.js';
import { byNewest, isUsable, passes } from './in-memory-rows.js';

/** Which of the two vectors of a chunk an index is about. */
export interface VectorKind {
  /** What is embedded for a chunk; undefined where it needs no vector. */
  textsOf(row: Row): readonly string[] | undefined;
  read(row: Row): StoredVector | undefined;
  written(row: Row, vector: StoredVector): Row;
}

export const CONTENT_VECTORS: VectorKind = {
  textsOf: (row) => [embeddingText(row.chunk)],
  read: (row) => row.vector,
  written: (row, vector) => ({ ...row, vector }),
};

export const QUESTION_VECTORS: VectorKind = {
  textsOf: (row) => row.questions,
  read: (row) => row.questionVector,
  written: (row, questionVector) => ({ ...row, questionVector }),
};

/** A {@link VectorIndex} on {@link Tables} that compares with every vector there is. */
export class InMemoryVectorIndex implements VectorIndex {
  readonly #tables: Tables;
  readonly #kind: VectorKind;
  readonly #model: string;

  constructor(tables: Tables, kind: VectorKind, model: string) {
    this.#tables = tables;
    this.#kind = kind;
    this.#model = model;
  }

  async put(entries: readonly VectorEntry[]): Promise<number> {
    let stored = 0;
    for (const { chunkId, texts, vector } of entries) {
      const row = this.#tables.row(chunkId);
      const values = isStorable(vector, EMBEDDING_DIMENSIONS) ? normalized(vector) : undefined;
      if (row === undefined || values === undefined || !this.#embeds(row, texts)) continue;
      this.#tables.put(this.#kind.written(row, { values, model: this.#model }));
      stored += 1;
    }
    return stored;
  }

  async similarities(query: Vector, chunkIds: readonly string[]) {
    const rows = chunkIds.flatMap((id) => this.#tables.row(id) ?? []);
    return new Map(this.#compare(query, rows).map(({ chunkId, cosine }) => [chunkId, cosine]));
  }

  async nearest(query: Vector, filter: ChunkFilter, limit: number): Promise<readonly Neighbour[]> {
    const rows = this.#tables.rows.filter((row) => passes(filter, row.chunk));
    return this.#compare(query, rows)
      .toSorted((a, b) => b.cosine - a.cosine || (a.chunkId < b.chunkId ? -1 : 1))
      .slice(0, limit);
  }

  async cosineStatistics(query: Vector) {
    const cosines = this.#compare(query, this.#tables.rows).map(({ cosine }) => cosine);
    const mean = average(cosines);
    return { mean, deviation: Math.sqrt(average(cosines.map((cosine) => (cosine - mean) ** 2))) };
  }

  async pending(limit: number) {
    return this.#pendingRows()
      .toSorted(byNewest)
      .slice(0, limit)
      .map((row) => ({ chunkId: row.chunk.id, texts: this.#kind.textsOf(row) ?? [] }));
  }

  async status() {
    const { rows } = this.#tables;
    const complete = rows.filter((row) => this.#vectorOf(row) !== undefined).length;
    return { complete, pending: rows.length - complete };
  }

  #compare(query: Vector, rows: readonly Row[]): readonly Neighbour[] {
    return rows.flatMap((row) => {
      const vector = this.#vectorOf(row);
      const chunkId = row.chunk.id;
      return vector === undefined ? [] : [{ chunkId, cosine: cosineSimilarity(query, vector) }];
    });
  }

  #pendingRows(): readonly Row[] {
    return this.#tables.rows.filter(
      (row) => this.#kind.textsOf(row) !== undefined && this.#vectorOf(row) === undefined,
    );
  }

  #vectorOf(row: Row): Vector | undefined {
    const stored = this.#kind.read(row);
    return isUsable(stored, this.#model) ? stored?.values : undefined;
  }

  #embeds(row: Row, texts: readonly string[]): boolean {
    return JSON.stringify(this.#kind.textsOf(row)) === JSON.stringify(texts);
  }
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
