import type { ChunkFilter } from './chunk-filter.js';

/** The texts that are embedded for a chunk; the chunk's vector is the normalized mean of theirs. */
export interface EmbeddableText {
  readonly chunkId: string;
  /** Never empty. */
  readonly texts: readonly string[];
}

/**
 * What a vector index needs to know about the chunks of a project if it does not store them itself:
 * with this, a custom vector index works with any store. There are two of these per project, one for
 * the contents of chunks and one for their questions (only of chunks that have questions).
 *
 * Every method may throw KnowledgeError `store_unavailable`.
 */
export interface EmbeddableTexts {
  /** The current texts of these chunks; chunks that do not exist or have no such text are left out. */
  of(chunkIds: readonly string[]): Promise<readonly EmbeddableText[]>;
  /** The texts of all chunks that have such texts, newest `createdAt` first. */
  all(): Promise<readonly EmbeddableText[]>;
  /** The ids of those chunks that match the filter. */
  matching(chunkIds: readonly string[], filter: ChunkFilter): Promise<ReadonlySet<string>>;
  /** How many chunks the project has, with or without such texts. */
  countChunks(): Promise<number>;
}
