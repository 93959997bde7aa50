import type { Chunk, SourceDocument, SourceType } from '../../domain/chunks/chunk.js';
import type { Supersession } from '../../domain/saved/supersession.js';
import type { ContentStats } from '../../domain/stats.js';

/** A source that this store has indexed, as it was when it was indexed. */
export interface IndexedSource {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  readonly contentHash: string;
  /** Chunks of the source that the store holds now; fewer than `documentChunkCount` if some were pruned since. */
  readonly chunkCount: number;
  /** Chunks that the document had when it was indexed. */
  readonly documentChunkCount: number;
}

/** A source and what the store holds of it, whoever wrote it. */
export interface SourceSummary {
  readonly sourceType: SourceType;
  readonly sourceFile: string;
  readonly chunks: number;
  /** Sum over its chunks. */
  readonly retrievals: number;
  /** ISO 8601 time when a chunk of it was last written; absent if it has none. */
  readonly lastUpdated?: string;
}

export interface ReplaceOptions {
  /**
   * What to do with a document that has the content hash of the last one. `skip`: write nothing, so
   * that chunks that were pruned stay away. `restore`: compare its chunks all the same, and create
   * those that are missing. Default `skip`.
   */
  readonly unchanged?: 'skip' | 'restore';
}

/** `gone`: the source no longer exists, and its chunks were removed. */
export type ReplaceOutcome = 'indexed' | 'unchanged' | 'gone';

/**
 * The chunks of one project and the sources they come from. Writes are atomic, and wait while
 * another process is writing.
 *
 * Every method may throw KnowledgeError `store_unavailable` (locked for too long, not readable, not
 * writable, not reachable); every write may also throw `storage_full`.
 */
export interface ChunkRepository {
  /**
   * Replaces the chunks of `sourceFile` with those that `read` returns. `read` is called after the
   * store has locked out other writers, so that stale content never replaces newer content. If `read`
   * returns undefined, the chunks of the source are removed; if it throws, nothing changes and the
   * error is passed on. If the content hash has not changed, nothing is written (`unchanged`), unless
   * the options say `restore`.
   *
   * Calls at the same time are made in their order; a backend may commit those for different sources together, after it
   * has called all their `read` at once, and resolves each after the commit.
   *
   * A document with `movedFrom` takes over the chunks of the source with that path, if the store has
   * indexed it with the same content hash; that source is then no longer indexed. With the option `skip`
   * those of its chunks that were pruned stay away.
   *
   * `planSource` of the domain decides which existing chunk is kept for which new one: a kept chunk
   * keeps its creation date, retrievals, vector and questions, under the id of its new position. Rows
   * that another program wrote are never changed; if such a row has an id that is needed, the new
   * chunk is left out.
   */
  replaceSource(
    sourceFile: string,
    read: () => Promise<SourceDocument | undefined>,
    options?: ReplaceOptions,
  ): Promise<ReplaceOutcome>;
  /** Every source that this store has indexed and not removed since, in no particular order. */
  indexedSources(): Promise<readonly IndexedSource[]>;
  /**
   * Every source that has chunks, including those that another program wrote, and every one that is
   * indexed without chunks; sorted by `sourceFile` in code units.
   */
  sources(): Promise<readonly SourceSummary[]>;
  /** The indexed sources whose documents said that they replace another one, in no particular order. */
  supersessions(): Promise<readonly Supersession[]>;
  /** The chunks with these ids, in the order of `ids`; unknown ids are left out. */
  getChunks(ids: readonly string[]): Promise<readonly Chunk[]>;
  /** Counts over all chunks, including those that another program wrote. */
  stats(): Promise<ContentStats>;
}
