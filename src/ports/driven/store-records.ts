import type { SourceType } from '../../domain/chunks/chunk.js';
import type { ChunkOrder } from '../../domain/overview/chunk-list.js';
import type { ChunkCounts } from '../../domain/overview/chunk-survey.js';
import type { AddedRecords, ChunkRecord, SourceRecord } from '../../domain/transfer/records.js';

export interface RecordPage {
  readonly records: readonly ChunkRecord[];
  /** Where the next page begins; absent after the last one. */
  readonly next?: string;
}

export interface RecordQuery {
  /** As `orderSteps` of the domain says. */
  readonly order: ChunkOrder;
  readonly sourceType?: SourceType | undefined;
  readonly sourceFile?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface RecordList {
  /** Number of all chunks that match. */
  readonly total: number;
  readonly records: readonly ChunkRecord[];
}

/**
 * Everything that the store of a project holds, record by record, for exports and imports between stores
 * of any kind, and for people who look at it. Vectors are read and written through the vector indexes.
 *
 * Every method may throw KnowledgeError `store_unavailable`; those that write may also throw `storage_full`.
 */
export interface StoreRecords {
  /**
   * The next chunks in the order in which they were stored, at most `limit`, and fewer if they are long.
   * Chunks that are written meanwhile may be missing.
   * @param after `next` of the page before; undefined for the first page
   */
  page(after: string | undefined, limit: number): Promise<RecordPage>;
  /**
   * Adds chunks in their order, all of them or, if it fails, none. A chunk whose id is taken, with the
   * same heading and content, keeps its row, gets the higher of both counts of retrievals and the later
   * date, and the questions if it has none. Left out, as `different`, is a chunk whose id has another text, or
   * whose source the store has indexed with another content hash. Idempotent.
   *
   * Until `addSources`, a source that is new to the store counts as changed: the next ingestion
   * compares all its chunks.
   */
  add(records: readonly ChunkRecord[]): Promise<AddedRecords>;
  /** One page of the chunks in an order. Takes less than half a second for 100,000 chunks. */
  list(query: RecordQuery): Promise<RecordList>;
  /**
   * Counts over all chunks, as fast as `list`. A token is four characters; characters beyond U+FFFF, and texts that are
   * not stored as text, may count as one or two.
   */
  counts(): Promise<ChunkCounts>;
  /** Remembers sources as indexed, except those that the store has indexed itself with another content hash. */
  addSources(sources: readonly SourceRecord[]): Promise<void>;
}
