import type { Database } from 'better-sqlite3';
import type { CosineSpread } from '../../domain/blending.js';
import { EMBEDDING_DIMENSIONS } from '../../domain/limits.js';
import { normalized, type Vector } from '../../domain/vector.js';
import type { Neighbour } from '../../ports/vector-index.js';
import { toVector } from './vector-blob.js';
import type { VectorTable } from './vector-tables.js';

/**
 * All vectors of one kind in memory, 1.5 kB each, for exact nearest neighbours: every vector is
 * compared. Codes of one bit a dimension would be faster, but on real collections they lose up to 4
 * of 100 neighbours (`docs/decisions/`). Loaded by the first look-up, and again once the stored
 * vectors have changed; a change in place by another program is seen with the next change of ours.
 */
export class VectorMatrix {
  readonly #table: VectorTable;
  #loaded: Loaded | undefined;
  #seenVersion: unknown;

  constructor(table: VectorTable) {
    this.#table = table;
  }

  /** The nearest first, at most `limit`; equal ones in the order of their ids. */
  nearest(db: Database, query: Vector, { isAllowed, limit }: Selection): readonly Neighbour[] {
    const direction = normalized(query);
    if (direction === undefined) return [];
    const { ids, values } = this.#upToDate(db);
    const best = new Best(limit);
    for (let row = 0; row < ids.length; row += 1) {
      const chunkId = ids[row] as string;
      const cosine = dotWithRow(direction, values, row);
      if (best.wouldTake(cosine) && isAllowed(chunkId)) best.take({ chunkId, cosine });
    }
    return best.neighbours;
  }

  /** Over at most 4,096 vectors, evenly spread over the ids; zeros where there is none. */
  spread(db: Database, query: Vector): CosineSpread {
    const direction = normalized(query);
    const { ids, values } = this.#upToDate(db);
    if (direction === undefined || ids.length === 0) return { mean: 0, deviation: 0 };
    const step = Math.ceil(ids.length / SPREAD_SAMPLE);
    let [count, sum, squares] = [0, 0, 0];
    for (let row = 0; row < ids.length; row += step) {
      const cosine = dotWithRow(direction, values, row);
      count += 1;
      sum += cosine;
      squares += cosine * cosine;
    }
    const mean = sum / count;
    return { mean, deviation: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
  }

  /** Any commit changes SQLite's data version; only a change of vectors changes the stamp. */
  #upToDate(db: Database): Loaded {
    const version = db.pragma('data_version', { simple: true });
    if (this.#loaded !== undefined && version === this.#seenVersion) return this.#loaded;
    const stamp = this.#table.stamp(db);
    if (this.#loaded?.stamp !== stamp) this.#loaded = load(db, this.#table, stamp);
    this.#seenVersion = version;
    return this.#loaded;
  }
}

/** 256 would change no result that was measured by more than .0016 nDCG. */
const SPREAD_SAMPLE = 4096;

export interface Selection {
  readonly isAllowed: (chunkId: string) => boolean;
  readonly limit: number;
}

interface Loaded {
  readonly stamp: string;
  /** In ascending order. */
  readonly ids: readonly string[];
  /** Row after row, each of length 1. */
  readonly values: Float32Array;
}

function load(db: Database, table: VectorTable, stamp: string): Loaded {
  const ids: string[] = [];
  const values = new Float32Array(table.countRows(db) * EMBEDDING_DIMENSIONS);
  for (const { id, blob } of table.allVectors(db)) {
    const vector = toVector(blob);
    const unit = vector && normalized(vector);
    if (unit === undefined) continue;
    values.set(unit, ids.length * EMBEDDING_DIMENSIONS);
    ids.push(id);
  }
  return { stamp, ids, values };
}

/** Four sums at a time: one would wait for itself. */
function dotWithRow(query: Vector, values: Float32Array, row: number): number {
  const start = row * EMBEDDING_DIMENSIONS;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < EMBEDDING_DIMENSIONS; i += 4) {
    a += (query[i] as number) * (values[start + i] as number);
    b += (query[i + 1] as number) * (values[start + i + 1] as number);
    c += (query[i + 2] as number) * (values[start + i + 2] as number);
    d += (query[i + 3] as number) * (values[start + i + 3] as number);
  }
  return a + b + c + d;
}

/** The best of a stream, best first; of equal ones the first stay first. */
class Best {
  readonly #limit: number;
  readonly #sorted: Neighbour[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get neighbours(): readonly Neighbour[] {
    return this.#sorted;
  }

  wouldTake(cosine: number): boolean {
    const last = this.#sorted[this.#limit - 1];
    return last === undefined || cosine > last.cosine;
  }

  take(neighbour: Neighbour): void {
    const place = this.#sorted.findLastIndex(({ cosine }) => cosine >= neighbour.cosine) + 1;
    this.#sorted.splice(place, 0, neighbour);
    this.#sorted.length = Math.min(this.#sorted.length, this.#limit);
  }
}
