import type { Chunk } from '../domain/chunks/chunk.js';

/**
 * Keeps the chunks of all projects in place of their stores. The store of a project then remains as the index: words, vectors,
 * questions and counts, with a copy of the text that it indexes. What a caller gets comes from here, and a chunk that is missing here
 * is in no result; its source is indexed again by the next ingestion.
 */
export interface ChunkRepository {
  /**
   * Replaces the chunks of one source; an empty list removes them. Called after the store has written them. If it fails, the store
   * forgets the source again.
   */
  replaceChunks(projectPath: string, sourceFile: string, chunks: readonly Chunk[]): Promise<void>;
  /** Removes these chunks, which were pruned; unknown ids are ignored. */
  deleteChunks(projectPath: string, ids: readonly string[]): Promise<void>;
  /** The chunks with these ids, in any order; unknown ids are left out. */
  getChunks(projectPath: string, ids: readonly string[]): Promise<readonly Chunk[]>;
}
