import type { ChunkFilter } from './chunk-filter.js';

/** The texts that a chunk is embedded by; its vector is the average of theirs. */
export interface EmbeddableText {
  readonly chunkId: string;
  /** Never empty. */
  readonly texts: readonly string[];
}

/**
 * What a vector index needs to know of the chunks of a project when it does not keep them itself:
 * with this, a vector index of one's own works over any store. There are two of these per project:
 * the texts of the chunks, and their questions (only of chunks that have some).
 *
 * Every method may throw KnowledgeError `store_unavailable`.
 */
export interface EmbeddableTexts {
  /** The present texts of these chunks; chunks that are gone or have no such text are left out. */
  of(chunkIds: readonly string[]): Promise<readonly EmbeddableText[]>;
  /** A page of the texts, newest chunk first: at most `limit`, leaving out the first `offset`. */
  newest(limit: number, offset: number): Promise<readonly EmbeddableText[]>;
  /** Those of the chunks that a filter lets through. */
  matching(chunkIds: readonly string[], filter: ChunkFilter): Promise<ReadonlySet<string>>;
  /** How many chunks the project has, with or without such texts. */
  countChunks(): Promise<number>;
}
