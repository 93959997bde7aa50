import type { Chunk, SourceDocument, SourceType } from '../domain/chunks/chunk.js';
import type { ChunkEntry } from '../domain/overview/chunk-list.js';
import type { ContentStats } from '../domain/overview/stats.js';

/** A source as it was when this store indexed it. */
export interface IndexedSource {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  readonly contentHash: string;
  /** Chunks of the source now in the store; fewer than `documentChunkCount` if some were pruned. */
  readonly chunkCount: number;
  /** Chunks of the document when it was indexed. */
  readonly documentChunkCount: number;
  /** The source file that its document supersedes; absent if none. */
  readonly supersedes?: string;
  /** The day from which searches leave out the source, as its document says; absent if it never expires. */
  readonly expires?: string;
}

export type SourceSelection = 'all' | 'superseding' | 'expiring';

export interface StoredChunk extends Chunk {
  /** The questions that the chunk answers; present only if requested. */
  readonly questions?: readonly string[];
}

/** A source as it was read, and how to store it. */
export interface SourceChange extends ReplaceOptions {
  readonly sourceFile: string;
  /** Undefined if the source no longer exists: its chunks are removed. */
  readonly document: SourceDocument | undefined;
  /**
   * Whether the source is unchanged since it was read. Called while other writers are locked out, so that an older
   * reading never replaces a newer one; must not wait. Default: it is unchanged.
   */
  readonly isCurrent?: () => boolean;
}

export interface ReplaceOptions {
  /**
   * How to treat a document with an unchanged content hash. `skip`: write nothing, so that pruned chunks stay deleted.
   * `restore`: still compare its chunks, and create missing ones. Default `skip`.
   */
  readonly unchanged?: 'skip' | 'restore';
}

/**
 * `unchanged`: nothing was written. `gone`: the source no longer exists, and its chunks were removed. `changed`: the
 * source was no longer current, and nothing was written; the caller reads it again.
 */
export type ReplaceOutcome = 'indexed' | 'unchanged' | 'gone' | 'changed';

/**
 * The chunks of one project and their sources. Writes are atomic, and wait while another process is writing.
 *
 * Every method may throw KnowledgeError `store_unavailable` (locked for too long, not readable, not writable, not
 * reachable); every write may also throw `storage_full`.
 */
export interface SourceRepository {
  /**
   * Replaces the chunks of sources with those of their documents, one change after the other, and returns the outcomes
   * in the same order. Each change is atomic; if one fails, earlier ones may have been made. The caller keeps batches
   * small, because other writers wait.
   *
   * A document with `movedFrom` takes over the chunks of the source at that path if that source was indexed with the
   * same content hash; it is then no longer indexed. With `skip`, its pruned chunks do not return.
   *
   * `planSource` of the domain decides which existing chunks of the source file are kept. A kept chunk keeps its
   * creation date, retrievals, vector and questions, under the id of its new position. A new chunk gets the vector of a
   * chunk with the same text deleted in the last 30 days, if the store still has it (it keeps the 50,000 newest). All
   * chunks of an indexed source belong to this service, even if another program wrote them. Chunks of other sources are
   * never changed, unless their id is needed.
   */
  replaceSources(changes: readonly SourceChange[]): Promise<readonly ReplaceOutcome[]>;
  /**
   * The sources indexed in this store: all of them, those that supersede another one, or those that expire; in no
   * particular order.
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
  /**
   * The lines on which chunks begin, counted from 1, by chunk id. Chunks whose documents do not give a line are absent.
   */
  findLines(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Counts all chunks, including chunks of other programs. */
  stats(): Promise<ContentStats>;
  /**
   * Counts a retrieval at the time `at` for each of these ids, as often as it is listed. Ignores unknown ids; writes
   * nothing for an empty list. Concurrent searches do not wait for each other, so a store should combine simultaneous
   * calls into one write.
   */
  record(ids: readonly string[], at: Date): Promise<void>;
  /**
   * Deletes these chunks, with their vectors and questions. Given `unusedSince`, keeps those that were ever retrieved,
   * or written since then. If it fails, nothing is deleted. Returns the ids of the deleted chunks, in any order. The
   * caller keeps lists small, because other writers wait.
   */
  deleteChunks(ids: readonly string[], unusedSince?: Date): Promise<readonly string[]>;
}
