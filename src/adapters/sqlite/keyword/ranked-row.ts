import type { Expression } from '../../../domain/query/expression.js';
import type { ChunkFilter } from '../../../ports/driven/chunk-filter.js';

export interface KeywordSearch {
  readonly expression: Expression;
  readonly filter: ChunkFilter;
  readonly limit: number;
}

/** A row of an index, with its FTS5 score. */
export interface RankedRow {
  readonly number: number;
  /** Negative; lower is better. */
  readonly score: number;
}
