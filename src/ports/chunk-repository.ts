import type { Chunk } from '../domain/chunks/chunk.js';
import type { ContentStats } from '../domain/overview/stats.js';
import type { Expression } from '../domain/query/expression.js';

/**
 * The chunks of projects. A program that supplies its own repository stores the chunks and finds them by their words.
 * The service then keeps everything else (vectors, questions, citations, leases) in memory.
 *
 * `projectPath` is the absolute, canonical path of the project.
 */
export interface ChunkRepository {
  /** Replaces the chunks of one source; an empty list removes them. If it fails, the next ingestion repeats it. */
  replaceChunks(projectPath: string, sourceFile: string, chunks: readonly Chunk[]): Promise<void>;
  /** Removes these chunks; unknown ids are ignored. */
  deleteChunks(projectPath: string, ids: readonly string[]): Promise<void>;
  /** The chunks with these ids, in any order; unknown ids are left out. */
  getChunks(projectPath: string, ids: readonly string[]): Promise<readonly Chunk[]>;
  /**
   * The chunks that match, with scores above 0, in any order. This order only decides between chunks with equal scores
   * and importance.
   */
  searchChunks(projectPath: string, query: WordQuery): Promise<readonly FoundChunk[]>;
  /** Counts a retrieval at the time `at` for each of these ids; unknown ids are ignored. */
  countRetrievals(projectPath: string, ids: readonly string[], at: Date): Promise<void>;
  /** Counts over all chunks; `sizeBytes` is 0 if unknown. */
  getStats(projectPath: string): Promise<ContentStats>;
}

export interface WordQuery {
  /** The words and phrases to look for; a chunk with any one of them may match. */
  readonly words: readonly string[];
  /** The exact condition on a chunk's text. */
  readonly expression: Expression;
  /** Maximum number of chunks. */
  readonly limit: number;
}

export interface FoundChunk {
  readonly chunk: Chunk;
  /** Higher is better. */
  readonly score: number;
}
