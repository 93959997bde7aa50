import type { Chunk, SourceDocument, SourceType } from '../../domain/chunks/chunk.js';
import type { Expression } from '../../domain/query/query.js';
import type { SourceTypeFilter } from '../../domain/search.js';
import type { StoreStats } from '../../domain/stats.js';

/** Which chunks a look-up may return. */
export interface ChunkFilter {
  readonly sourceTypes: SourceTypeFilter;
  /** Source files whose chunks are left out. */
  readonly excludedSources?: readonly string[];
}

export interface KeywordHit {
  readonly chunk: Chunk;
  /** BM25 as FTS5 counts it: negative, lower is better. */
  readonly score: number;
}

/** A source that this store indexed, as it was then. */
export interface IndexedSource {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  readonly contentHash: string;
  /** Chunks of the source that the store holds now; fewer than it had where some were pruned since. */
  readonly chunkCount: number;
}

/** What became of a source: `gone` means that there was nothing to read and its chunks were removed. */
export type ReplaceOutcome = 'indexed' | 'unchanged' | 'gone';

/** A chunk that nobody asked for in a long time. */
export interface StaleChunk {
  readonly id: string;
  readonly sourceFile: string;
  /** ISO 8601: the last retrieval, or the creation. */
  readonly unusedSince: string;
}

/** A chunk that has no questions yet. */
export interface QuestionlessChunk {
  readonly id: string;
  readonly text: string;
}

/**
 * The chunks of one project. Writes are all or nothing and wait for other processes.
 * Every method may throw KnowledgeError `store_unavailable` (locked for too long, damaged, not
 * writable), and every writing one `storage_full`.
 */
export interface ChunkRepository {
  /**
   * Makes the chunks of `sourceFile` those that `read` answers. `read` is called once the write
   * lock is held, so an older reading never replaces a newer one; when it answers undefined the
   * source's chunks are removed, when it throws nothing has changed.
   * A chunk whose text and place are the same keeps its row; one whose text moved takes the id of
   * its new place and keeps `createdAt`, counts, vector and questions (contract, "Chunks and sources").
   * Rows that something else wrote are never touched; where one holds an id that is needed, that
   * chunk is left out.
   */
  replaceSource(
    sourceFile: string,
    read: () => Promise<SourceDocument | undefined>,
  ): Promise<ReplaceOutcome>;
  /** Every source that this store indexed and that has not been removed since. */
  indexedSources(): Promise<readonly IndexedSource[]>;
  /**
   * The chunks that match, best BM25 first, at most `limit`; equal scores in order of insertion. A
   * chunk that matches both readings of an expression (`Term.inRun`) has the better score.
   */
  searchKeyword(
    expression: Expression,
    filter: ChunkFilter,
    limit: number,
  ): Promise<readonly KeywordHit[]>;
  /** The BM25 scores, as `searchKeyword` gives them, of those of the chunks that match. */
  scoreKeyword(
    expression: Expression,
    chunkIds: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
  /** The chunks with these ids, in this order; unknown ids are left out. */
  getChunks(ids: readonly string[]): Promise<readonly Chunk[]>;
  /** Adds one retrieval to each of these chunks, at `at`; unknown ids are ignored. */
  markRetrieved(ids: readonly string[], at: Date): Promise<void>;
  /** Chunks never retrieved whose last retrieval, or else creation, is not after `before`. */
  findNeverRetrievedBefore(before: Date): Promise<readonly StaleChunk[]>;
  /** Deletes what `findNeverRetrievedBefore` finds, and answers it. */
  deleteNeverRetrievedBefore(before: Date): Promise<readonly StaleChunk[]>;
  /** Chunks that have a content vector but no questions yet, newest first, at most `limit`. */
  findWithoutQuestions(limit: number): Promise<readonly QuestionlessChunk[]>;
  /** Stores the questions of a chunk, unless it is gone or its text is no longer `chunk.text`. */
  saveQuestions(chunk: QuestionlessChunk, questions: readonly string[]): Promise<void>;
  /** Makes the full-text index anew from the chunks. */
  rebuildIndex(): Promise<void>;
  stats(): Promise<StoreStats>;
}
