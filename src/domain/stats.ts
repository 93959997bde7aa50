import type { SourceType } from './chunks/chunk.js';

/** What a store holds (specification, "Stats"). */
export interface StoreStats {
  readonly totalChunks: number;
  /** Size of the database file. */
  readonly totalSizeBytes: number;
  readonly uniqueSources: number;
  /** All six source types, zeros included. */
  readonly sourceTypeBreakdown: Readonly<Record<SourceType, number>>;
  /** ISO 8601; absent while there are no chunks. */
  readonly lastUpdated?: string;
  readonly dbPath: string;
}

/** Chunks that have their vector, and chunks that still wait for it. */
export interface VectorStatus {
  readonly complete: number;
  readonly pending: number;
  /** Why vectors cannot be compared here, as a sentence; absent where they can. */
  readonly comparisonProblem?: string;
}
