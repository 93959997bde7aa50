import type { SourceType } from '../domain/chunks/chunk.js';
import type { ChunkList, ChunkOrder } from '../domain/overview/chunk-list.js';
import type { ChunkCounts } from '../domain/overview/chunk-survey.js';

export interface ChunkListQuery {
  /** As `orderSteps` of the domain says. */
  readonly order: ChunkOrder;
  readonly sourceType?: SourceType | undefined;
  readonly sourceFile?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Lists and counts what is stored, for people who look at a store. A token is four characters; characters beyond
 * U+FFFF, and texts that are not stored as text, may count as one or two.
 *
 * Every method may throw KnowledgeError `store_unavailable`.
 */
export interface ChunkListing {
  /** One page of the chunks in an order. Takes less than half a second for 100,000 chunks. */
  list(query: ChunkListQuery): Promise<ChunkList>;
  /** Counts over all chunks, as fast as `list`. */
  counts(): Promise<ChunkCounts>;
}
