import type { Database } from 'better-sqlite3';
import type { PendingVector } from '../../../ports/driven/vector-index.js';
import { countUp, stateOf } from '../database/store-state.js';

/** A vector with the chunk that it belongs to. */
export interface VectorRow {
  readonly id: string;
  readonly blob: Uint8Array;
}

export interface NumberedVectorRow extends VectorRow {
  readonly row: number;
}

/** Another one once vectors were added or removed by anybody, or stored or moved by this service. */
export interface Stamp {
  readonly rows: number;
  readonly lastRow: number;
  /** How often this service stored a vector, or moved chunks that have one. */
  readonly changes: number;
}

/** Where the vectors of one kind lie, and what they are vectors of. */
export interface VectorTable {
  vectorsOf(db: Database, ids: readonly string[]): Iterable<VectorRow>;
  /** The first vectors after a row, in the order of their rows. */
  vectorsAfter(db: Database, row: number, limit: number): readonly NumberedVectorRow[];
  stamp(db: Database): Stamp;
  /** Whether nothing happened between two stamps but that vectors were added after the last row. */
  hasOnlyGrown(db: Database, since: Stamp, until: Stamp): boolean;
  /** Those that are valid. */
  countVectors(db: Database): number;
  pending(db: Database, limit: number): readonly PendingVector[];
  /** The texts that are embedded for a chunk; undefined where there is no such chunk. */
  textsOf(db: Database, id: string): readonly string[] | undefined;
  save(db: Database, row: VectorRow, at: Date): void;
}

/** Which kind of vectors changed. */
export type VectorKind = 'embeddings' | 'hype_embeddings';

/** Tells all connections that the vectors of a kind are no longer what they were. */
export function noteChange(db: Database, kind: VectorKind): void {
  countUp(db, `${kind}_version`);
}

export function changesOf(db: Database, kind: VectorKind): number {
  return Number(stateOf(db, `${kind}_version`) ?? 0);
}
