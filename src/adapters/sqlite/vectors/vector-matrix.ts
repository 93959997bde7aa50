import type { Database } from 'better-sqlite3';
import type { CosineStatistics } from '../../../domain/ranking/blending.js';
import { dot, normalized, type Vector } from '../../../domain/ranking/vector.js';
import type { Neighbour } from '../../../ports/driven/vector-index.js';
import { loadDotProducts, type NewDotProducts } from './dot-products.js';
import { toVector } from './vector-blob.js';
import { type Estimates, VectorCodes } from './vector-codes.js';
import type { NumberedVectorRow, Stamp, VectorTable } from './vector-tables.js';

/**
 * All vectors of one kind as codes in memory, 0.4 kB each, for exact nearest neighbours: the codes
 * tell which vectors can be among the nearest, and those are read and compared
 * (`docs/decisions/0002-exact-neighbours.md`). What this service stores later is added, and after any
 * other change all is loaded again. A change in place by another program is seen with the next of these.
 */
export class VectorMatrix {
  readonly #table: VectorTable;
  readonly #dimensions: number;
  readonly #newDotProducts: NewDotProducts;
  #loaded: Loaded;
  /** Of the vectors that `#loaded` is part of. */
  #stamp: Stamp | undefined;
  #seenVersion: unknown;
  #restarts = 0;

  private constructor(table: VectorTable, dimensions: number, newDotProducts: NewDotProducts) {
    this.#table = table;
    this.#dimensions = dimensions;
    this.#newDotProducts = newDotProducts;
    this.#loaded = this.#nothing();
  }

  static async over(table: VectorTable, dimensions: number): Promise<VectorMatrix> {
    return new VectorMatrix(table, dimensions, await loadDotProducts());
  }

  /**
   * Loads what is stored and not known here, at most `limit` vectors a call; whether that was all. While
   * others keep changing what was loaded already, all is loaded by one call in the end.
   */
  advance(db: Database, limit: number): boolean {
    this.#forgetOutdated(db);
    const most = this.#restarts > MOST_RESTARTS ? UNLIMITED : limit;
    const rows = this.#table.vectorsAfter(db, this.#loaded.lastRow, most);
    for (const row of rows) append(this.#loaded, row, this.#dimensions);
    const isComplete = rows.length !== most;
    if (isComplete) this.#restarts = 0;
    return isComplete;
  }

  /** The nearest first, at most `limit`; equal ones in the order of their ids. */
  nearest(db: Database, query: Vector, { isAllowed, limit }: Selection): readonly Neighbour[] {
    const direction = normalized(query);
    if (direction === undefined) return [];
    const { ids, codes } = this.#loaded;
    const rows = possiblyNearest(codes.estimate(direction), {
      isAllowed: (row) => isAllowed(ids[row] as string),
      limit,
    });
    const possible = rows.map((row) => ids[row] as string);
    return this.#cosines(db, direction, possible).toSorted(nearestFirst).slice(0, limit);
  }

  /** Over all vectors; zeros where there is none. */
  cosineStatistics(query: Vector): CosineStatistics {
    const direction = normalized(query);
    const { ids, codes } = this.#loaded;
    if (direction === undefined || ids.length === 0) return { mean: 0, deviation: 0 };
    const { cosines } = codes.estimate(direction);
    return spreadOf(cosines);
  }

  #cosines(db: Database, direction: Vector, ids: readonly string[]): readonly Neighbour[] {
    return [...this.#table.vectorsOf(db, ids)].flatMap(({ id, blob }) => {
      const unit = unitVectorOf(blob, this.#dimensions);
      return unit === undefined ? [] : [{ chunkId: id, cosine: dot(direction, unit) }];
    });
  }

  /** Any commit changes SQLite's data version; only a change of vectors changes the stamp. */
  #forgetOutdated(db: Database): void {
    const version = db.pragma('data_version', { simple: true });
    if (version === this.#seenVersion) return;
    const stamp = this.#table.stamp(db);
    if (this.#stamp !== undefined && !this.#table.hasOnlyGrown(db, this.#stamp, stamp)) {
      this.#loaded = this.#nothing();
      this.#restarts += 1;
    }
    this.#stamp = stamp;
    this.#seenVersion = version;
  }

  #nothing(): Loaded {
    return { lastRow: 0, ids: [], codes: new VectorCodes(this.#newDotProducts, this.#dimensions) };
  }
}

const MOST_RESTARTS = 3;
/** As SQLite's LIMIT has it. */
const UNLIMITED = -1;

export interface Selection {
  readonly isAllowed: (chunkId: string) => boolean;
  readonly limit: number;
}

interface Loaded {
  lastRow: number;
  readonly ids: string[];
  /** A row an id. */
  readonly codes: VectorCodes;
}

function append(loaded: Loaded, { row, id, blob }: NumberedVectorRow, dimensions: number): void {
  loaded.lastRow = row;
  const unit = unitVectorOf(blob, dimensions);
  if (unit === undefined) return;
  loaded.codes.add(unit);
  loaded.ids.push(id);
}

function nearestFirst(a: Neighbour, b: Neighbour): number {
  return b.cosine - a.cosine || (a.chunkId < b.chunkId ? -1 : 1);
}

function unitVectorOf(blob: unknown, dimensions: number): Vector | undefined {
  const vector = toVector(blob, dimensions);
  return vector && normalized(vector);
}

function spreadOf(cosines: Float64Array): CosineStatistics {
  let [sum, squares] = [0, 0];
  for (const cosine of cosines) sum += cosine;
  const mean = sum / cosines.length;
  for (const cosine of cosines) squares += (cosine - mean) ** 2;
  return { mean, deviation: Math.sqrt(squares / cosines.length) };
}

interface RowSelection {
  readonly isAllowed: (row: number) => boolean;
  readonly limit: number;
}

/** In ascending order: all rows but those of which `limit` others are certainly nearer. */
function possiblyNearest(
  { cosines, errors }: Estimates,
  { isAllowed, limit }: RowSelection,
): readonly number[] {
  const certain = new Largest(limit);
  for (let row = 0; row < cosines.length; row += 1) {
    const least = (cosines[row] as number) - (errors[row] as number);
    if (least > certain.smallest && isAllowed(row)) certain.add(least);
  }
  const rows: number[] = [];
  for (let row = 0; row < cosines.length; row += 1) {
    const most = (cosines[row] as number) + (errors[row] as number);
    if (most >= certain.smallest && isAllowed(row)) rows.push(row);
  }
  return rows;
}

/** The largest numbers of a stream. */
class Largest {
  readonly #limit: number;
  readonly #sorted: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What a number must exceed to be taken. */
  get smallest(): number {
    return this.#sorted[this.#limit - 1] ?? Number.NEGATIVE_INFINITY;
  }

  add(value: number): void {
    const place = this.#sorted.findLastIndex((other) => other >= value) + 1;
    this.#sorted.splice(place, 0, value);
    this.#sorted.length = Math.min(this.#sorted.length, this.#limit);
  }
}
