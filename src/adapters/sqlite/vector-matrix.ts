import type { Database } from 'better-sqlite3';
import type { CosineSpread } from '../../domain/blending.js';
import { dot, normalized, type Vector } from '../../domain/vector.js';
import type { Neighbour } from '../../ports/vector-index.js';
import { loadDotProducts, type NewDotProducts } from './dot-products.js';
import { toVector } from './vector-blob.js';
import { type Estimates, VectorCodes } from './vector-codes.js';
import type { Stamp, VectorRow, VectorTable } from './vector-tables.js';

/**
 * All vectors of one kind as codes in memory, 0.4 kB each, for exact nearest neighbours: the codes
 * tell which vectors can be among the nearest, and those are read and compared
 * (`docs/decisions/0002-exact-neighbours.md`). Loaded by the first look-up; what this service stores
 * later is added, and after any other change all is loaded again. A change in place by another program is
 * seen with the next of these.
 */
export class VectorMatrix {
  readonly #table: VectorTable;
  readonly #newDotProducts: NewDotProducts;
  #loaded: Loaded | undefined;
  #seenVersion: unknown;

  private constructor(table: VectorTable, newDotProducts: NewDotProducts) {
    this.#table = table;
    this.#newDotProducts = newDotProducts;
  }

  static async over(table: VectorTable): Promise<VectorMatrix> {
    return new VectorMatrix(table, await loadDotProducts());
  }

  /** The nearest first, at most `limit`; equal ones in the order of their ids. */
  nearest(db: Database, query: Vector, { isAllowed, limit }: Selection): readonly Neighbour[] {
    const direction = normalized(query);
    if (direction === undefined) return [];
    const { ids, codes } = this.#upToDate(db);
    const rows = possiblyNearest(codes.estimate(direction), {
      isAllowed: (row) => isAllowed(ids[row] as string),
      limit,
    });
    const possible = rows.map((row) => ids[row] as string);
    return this.#cosines(db, direction, possible).toSorted(nearestFirst).slice(0, limit);
  }

  /** Over all vectors; zeros where there is none. */
  spread(db: Database, query: Vector): CosineSpread {
    const direction = normalized(query);
    const { ids, codes } = this.#upToDate(db);
    if (direction === undefined || ids.length === 0) return { mean: 0, deviation: 0 };
    const { cosines } = codes.estimate(direction);
    return spreadOf(cosines);
  }

  #cosines(db: Database, direction: Vector, ids: readonly string[]): readonly Neighbour[] {
    return [...this.#table.vectorsOf(db, ids)].flatMap(({ id, blob }) => {
      const unit = unitVectorOf(blob);
      return unit === undefined ? [] : [{ chunkId: id, cosine: dot(direction, unit) }];
    });
  }

  /** Any commit changes SQLite's data version; only a change of vectors changes the stamp. */
  #upToDate(db: Database): Loaded {
    const version = db.pragma('data_version', { simple: true });
    if (this.#loaded !== undefined && version === this.#seenVersion) return this.#loaded;
    this.#loaded = this.#reloaded(db, this.#table.stamp(db));
    this.#seenVersion = version;
    return this.#loaded;
  }

  #reloaded(db: Database, stamp: Stamp): Loaded {
    const loaded = this.#loaded;
    if (loaded !== undefined) {
      const added = this.#table.addedBetween(db, loaded.stamp, stamp);
      if (added !== undefined) return { ...extend(loaded, added), stamp };
    }
    const empty = { stamp, ids: [], codes: new VectorCodes(this.#newDotProducts) };
    return extend(empty, this.#table.allVectors(db));
  }
}

export interface Selection {
  readonly isAllowed: (chunkId: string) => boolean;
  readonly limit: number;
}

interface Loaded {
  readonly stamp: Stamp;
  readonly ids: string[];
  /** A row an id. */
  readonly codes: VectorCodes;
}

function extend(loaded: Loaded, rows: Iterable<VectorRow>): Loaded {
  for (const { id, blob } of rows) {
    const unit = unitVectorOf(blob);
    if (unit === undefined) continue;
    loaded.codes.add(unit);
    loaded.ids.push(id);
  }
  return loaded;
}

function nearestFirst(a: Neighbour, b: Neighbour): number {
  return b.cosine - a.cosine || (a.chunkId < b.chunkId ? -1 : 1);
}

function unitVectorOf(blob: unknown): Vector | undefined {
  const vector = toVector(blob);
  return vector && normalized(vector);
}

function spreadOf(cosines: Float64Array): CosineSpread {
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
