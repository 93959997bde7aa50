import type { Database } from 'better-sqlite3';
import type { PendingVector } from '../../../ports/driven/vector-index.js';

/** Which vectors count: those of one model, which all have its number of dimensions. */
export interface VectorModel {
  readonly model: string;
  readonly dimensions: number;
}

/** A vector with the chunk that it belongs to. */
export interface VectorRow {
  readonly id: string;
  readonly blob: Uint8Array;
}

/** Where the vectors of one kind are stored, and what they are vectors of. */
export interface VectorTable {
  /** Where to read vectors in SQL; undefined while those stored are of another model. */
  source(db: Database): VectorSource | undefined;
  /** Those that are valid. */
  countVectors(db: Database): number;
  pending(db: Database, limit: number): readonly PendingVector[];
  /** The texts that are embedded for a chunk; undefined where there is no such chunk. */
  textsOf(db: Database, id: string): readonly string[] | undefined;
  /** Whether a chunk has a valid vector. */
  has(db: Database, id: string): boolean;
  save(db: Database, row: VectorRow, at: Date): void;
}

/** The parts of a query over vectors. The columns belong to the alias `e`. */
export interface VectorSource {
  readonly table: string;
  /** Column with the id of the chunk. */
  readonly id: string;
  /** Column with the vector. */
  readonly blob: string;
  /** Which rows count; may use the parameter `@model`. */
  readonly condition: string;
  readonly model: string;
}
