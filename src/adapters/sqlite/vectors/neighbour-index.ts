import Database from 'better-sqlite3';
import { prepared } from '../database/prepared.js';
import { clearState, setState, stateOf } from '../database/store-state.js';
import { toVector } from '../database/vector-blob.js';
import {
  CODE_METRICS,
  type CodeMetric,
  L1,
  L2,
  NEIGHBOURS,
  NeighbourTable,
  quantized,
} from './neighbour-table.js';
import type { VectorExtension } from './vector-extension.js';
import type { VectorModel } from './vector-tables.js';

/** What an index is built for. */
export interface IndexedVectors extends VectorModel {
  /** Another one for every file, which nobody can know who sends one. */
  readonly file: string;
  /** From so many vectors on it is searched by L1 instead of L2 distances. */
  readonly l1From: number;
}

/** A row of `embeddings`, and the distance of its code from that of a query. */
export interface NearRow {
  readonly row: number;
  readonly distance: number;
}

/**
 * Codes of the content vectors in a vec0 table, one per row of `embeddings`. It is derived: triggers
 * note the rows that changed in `store_vector_changes`, and `catchUp` brings the codes up to date. It
 * counts as valid only for the file, schema version, model and dimensions that it was built for, so
 * that it is built again after anything that may have dropped a trigger or renumbered rows, and the
 * index of a file that came from elsewhere is never read (docs/decisions/0015-sqlite-vec.md).
 */
export class NeighbourIndex {
  readonly #extension: VectorExtension;
  readonly #vectors: IndexedVectors;
  readonly #table: NeighbourTable;
  /** The schema version for which the table was found to be sound. */
  readonly #soundAt = new WeakMap<Database.Database, number>();
  #isUnusable = false;

  constructor(extension: VectorExtension, vectors: IndexedVectors) {
    this.#extension = extension;
    this.#vectors = vectors;
    this.#table = new NeighbourTable(extension, vectors.dimensions);
  }

  /** How its codes are compared; undefined if it cannot be asked. Rows in `store_vector_changes` do not count. */
  metric(db: Database.Database): CodeMetric | undefined {
    if (this.#isUnusable || !this.#extension.isLoadedInto(db)) return undefined;
    const version = schemaVersion(db);
    const builtFor = stateOf(db, BUILT_FOR);
    const metric = CODE_METRICS.find((each) => this.#stamp(version, each) === builtFor);
    if (metric === undefined || this.#soundAt.get(db) === version) return metric;
    if (!this.#table.isSound(db, metric)) return undefined;
    this.#soundAt.set(db, version);
    return metric;
  }

  /** The rows whose codes are nearest, nearest first; `k` is at most 4,096. */
  closest(db: Database.Database, codes: Uint8Array, k: number): readonly NearRow[] {
    return prepared<unknown[], NearRow>(
      db,
      `SELECT rowid AS row, distance FROM ${NEIGHBOURS} WHERE code MATCH vec_int8(?) AND k = ?`,
    ).all(codes, BigInt(k));
  }

  /** Rows whose codes are out of date, at most `limit`. */
  changedRows(db: Database.Database, limit: number): readonly number[] {
    return prepared<[number], number>(db, 'SELECT row FROM store_vector_changes LIMIT ?')
      .pluck()
      .all(limit);
  }

  /**
   * Brings at most `limit` rows up to date, inside a write transaction; whether that was all.
   * An index that proves to be damaged is discarded.
   */
  catchUp(db: Database.Database, limit: number): boolean {
    if (this.#isUnusable || !this.#extension.isLoadedInto(db)) return this.#discarded(db);
    try {
      if (this.metric(db) === undefined) this.#build(db);
      return this.#isUnusable ? this.#discarded(db) : this.#takeChanges(db, limit);
    } catch (error) {
      if (!isFailureOfExtension(error)) throw error;
      return this.#discarded(db);
    }
  }

  /** Vectors without a code and codes without a vector, apart from the noted changes. */
  countMismatches(db: Database.Database): number {
    const { model } = this.#vectors;
    return this.metric(db) === undefined ? 0 : this.#table.countMismatches(db, model);
  }

  /** Makes it invalid until it is built again, inside a write transaction. */
  discard(db: Database.Database): void {
    db.exec('DELETE FROM store_vector_changes');
    clearState(db, BUILT_FOR);
  }

  #discarded(db: Database.Database): true {
    this.discard(db);
    return true;
  }

  /** Empty, with all rows noted as changed. */
  #build(db: Database.Database): void {
    const metric = this.#metricFor(db);
    try {
      this.#isUnusable = !this.#table.replace(db, metric);
    } catch (error) {
      this.#isUnusable = isFailureOfExtension(error);
      throw error;
    }
    if (this.#isUnusable) return;
    db.exec('DELETE FROM store_vector_changes');
    db.exec('INSERT INTO store_vector_changes (row) SELECT rowid FROM embeddings');
    setState(db, BUILT_FOR, this.#stamp(schemaVersion(db), metric));
  }

  #takeChanges(db: Database.Database, limit: number): boolean {
    const changes = db
      .prepare<[number], Change>(
        'SELECT number, row FROM store_vector_changes ORDER BY number LIMIT ?',
      )
      .all(limit);
    const last = changes.at(-1);
    if (last === undefined) return true;
    if (this.#isOutgrown(db, changes)) {
      this.discard(db);
      return false;
    }
    this.#replaceCodes(db, JSON.stringify(changes.map(({ row }) => row)));
    db.prepare('DELETE FROM store_vector_changes WHERE number <= ?').run(last.number);
    return changes.length < limit;
  }

  /** In two steps, since vec0 knows no upsert. */
  #replaceCodes(db: Database.Database, rows: string): void {
    db.prepare(
      `DELETE FROM ${NEIGHBOURS} WHERE rowid IN (SELECT DISTINCT value FROM json_each(?))`,
    ).run(rows);
    const insert = db.prepare(`INSERT INTO ${NEIGHBOURS} (rowid, code) VALUES (?, vec_int8(?))`);
    const vectors = db
      .prepare<[string, string], { readonly row: number; readonly blob: unknown }>(
        `SELECT e.rowid AS row, e.embedding AS blob FROM embeddings e
         WHERE e.rowid IN (SELECT value FROM json_each(?)) AND e.model = ?`,
      )
      .all(rows, this.#vectors.model);
    for (const { row, blob } of vectors) {
      const vector = toVector(blob, this.#vectors.dimensions);
      const codes = vector && quantized(vector);
      if (codes !== undefined) insert.run(BigInt(row), codes);
    }
  }

  /** Whether it was built for so few vectors that it is now compared in the slower way. */
  #isOutgrown(db: Database.Database, changes: readonly Change[]): boolean {
    const mayBe = changes.some(({ row }) => row >= 2 * this.#vectors.l1From);
    return mayBe && this.metric(db) === L2 && countVectors(db) >= 2 * this.#vectors.l1From;
  }

  #metricFor(db: Database.Database): CodeMetric {
    return countVectors(db) < this.#vectors.l1From ? L2 : L1;
  }

  #stamp(version: number, metric: CodeMetric): string {
    const { file, model, dimensions } = this.#vectors;
    return JSON.stringify([file, version, model, dimensions, metric.name]);
  }
}

interface Change {
  readonly number: number;
  readonly row: number;
}

/** In `store_state`: the file, schema version, model and dimensions that the index was built for. */
const BUILT_FOR = 'neighbours_built_for';

function countVectors(db: Database.Database): number {
  return db.prepare<[], number>('SELECT count(*) FROM embeddings').pluck().get() as number;
}

function schemaVersion(db: Database.Database): number {
  return Number(db.pragma('schema_version', { simple: true }));
}

/** What sqlite-vec says of damaged data; a lock, a full disk or a damaged page have codes of their own. */
export function isFailureOfExtension(error: unknown): boolean {
  return error instanceof Database.SqliteError && EXTENSION_FAILURE.test(error.code);
}

const EXTENSION_FAILURE = /^SQLITE_(ERROR|CONSTRAINT|MISMATCH|INTERNAL)/;
