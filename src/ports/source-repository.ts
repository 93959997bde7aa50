import type { Chunk, SourceDocument, SourceType } from '../domain/chunks/chunk.js';
import type { ChunkEntry } from '../domain/overview/chunk-list.js';
import type { ContentStats } from '../domain/overview/stats.js';

/** A source that this store has indexed, as it was when it was indexed. */
export interface IndexedSource {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  readonly contentHash: string;
  /** Chunks of the source that the store holds now; fewer than `documentChunkCount` if some were pruned since. */
  readonly chunkCount: number;
  /** Chunks that the document had when it was indexed. */
  readonly documentChunkCount: number;
  /** The source file that it replaces, as its document said; absent if it replaces none. */
  readonly supersedes?: string;
  /** From which day on it is in no search, as its document said; absent if it never expires. */
  readonly expires?: string;
}

export type SourceSelection = 'all' | 'superseding' | 'expiring';

export interface StoredChunk extends Chunk {
  /** The questions that it answers; present only if requested. */
  readonly questions?: readonly string[];
}

/** A source as it was read, and how it is stored. */
export interface SourceChange extends ReplaceOptions {
  readonly sourceFile: string;
  /** Undefined if the source no longer exists: its chunks are removed. */
  readonly document: SourceDocument | undefined;
  /**
   * Whether the source is still as it was read. Asked once other writers are locked out, so that an older reading never
   * replaces a newer one; must not wait for anything. Default: it is.
   */
  readonly isCurrent?: () => boolean;
}

export interface ReplaceOptions {
  /**
   * How to treat a document with an unchanged content hash. `skip`: write nothing, so
   * that chunks that were pruned stay away. `restore`: compare its chunks all the same, and create
   * missing ones. Default `skip`.
   */
  readonly unchanged?: 'skip' | 'restore';
}

/**
 * `unchanged`: nothing was written. `gone`: the source no longer exists, and its chunks were removed. `changed`: the
 * source was not current any more, and nothing was written; the caller reads it again.
 */
export type ReplaceOutcome = 'indexed' | 'unchanged' | 'gone' | 'changed';

/**
 * The chunks of one project and the sources they come from. Writes are atomic, and wait while
 * another process is writing.
 *
 * Every method may throw KnowledgeError `store_unavailable` (locked for too long, not readable, not
 * writable, not reachable); every write may also throw `storage_full`.
 */
export interface SourceRepository {
  /**
   * Replaces the chunks of sources with those of their documents, one change after the other, and returns the outcomes
   * in the order of the changes. Each change is made as a whole or not at all; if one fails, those before it may have
   * been made. The caller keeps batches small, because other writers wait.
   *
   * A document with `movedFrom` takes over the chunks of the source with that path, if the store has indexed it with
   * the same content hash; that source is then no longer indexed. With `skip` its pruned chunks do not return.
   *
   * `planSource` of the domain decides which existing chunk is kept for which new one, among all chunks with this
   * source file: a kept chunk keeps its creation date, retrievals, vector and questions, under the id of its new
   * position. A new chunk has at once the vector of one with the same text that was deleted in the last 30 days, as far
   * as the store keeps it (the 50,000 newest). The chunks of a source that is indexed belong to this service, even if
   * another program wrote them; those of other sources are never changed, unless their id is needed.
   */
  replaceSources(changes: readonly SourceChange[]): Promise<readonly ReplaceOutcome[]>;
  /**
   * Every source that this store has indexed and not removed since, those that replace another one, or those that
   * expire; in no particular order.
   */
  indexedSources(which?: SourceSelection): Promise<readonly IndexedSource[]>;
  /**
   * Every chunk without its text, including chunks of other programs, in no particular order. `tokens` is length / 4
   * (astral characters may count once or twice). About one second per 100,000 chunks; does not block the event loop.
   */
  entries(): Promise<readonly ChunkEntry[]>;
  /** The source files of all chunks, including chunks of other programs, each once, in no particular order. */
  sourceFiles(): Promise<readonly string[]>;
  /** The chunks with these ids, in the order of `ids`; unknown ids are left out. */
  getChunks(ids: readonly string[], also?: 'questions'): Promise<readonly StoredChunk[]>;
  /** First lines, counted from 1, by chunk id. Chunks whose documents do not give a line are absent. */
  findLines(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Counts all chunks, including chunks of other programs. */
  stats(): Promise<ContentStats>;
  /**
   * Counts a retrieval at `at` for each of these ids; one that is listed several times is counted as often. Unknown ids
   * are ignored, an empty list writes nothing. Concurrent searches call it without waiting for each other, so a store
   * should write what comes at the same time at once.
   */
  record(ids: readonly string[], at: Date): Promise<void>;
  /**
   * Deletes each of these chunks, with its vectors and questions, if its retrieval count is 0 and it was last written
   * before `since`. If it fails, nothing is deleted. Returns the ids of the deleted chunks, in any order: a chunk that
   * was retrieved or written in between is kept. The caller keeps lists small, because other writers wait.
   */
  deleteUnretrieved(ids: readonly string[], since: Date): Promise<readonly string[]>;
}
