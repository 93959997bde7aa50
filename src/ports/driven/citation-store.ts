import type { Citation } from '../../domain/citations/citation-state.js';

/** What a chunk cites, as it was when the chunk was written. */
export interface KeptCitations {
  readonly chunkId: string;
  /** ISO 8601. */
  readonly citedAt: string;
  /** At least one. */
  readonly citations: readonly Citation[];
}

/**
 * The citations of the chunks of one project. They come with the chunks: `replaceSource` of the chunk repository keeps those
 * of each draft. A chunk that is kept keeps its own, under its new id if it has moved; if it has none, or the document says
 * `renewed`, it has those of the draft. They go when the chunk goes.
 *
 * Every method may throw KnowledgeError `store_unavailable`.
 */
export interface CitationStore {
  /** The citations of these chunks, in no particular order; a chunk without any is left out. */
  of(chunkIds: readonly string[]): Promise<readonly KeptCitations[]>;
  /**
   * The next chunks with citations by their ids in code units, at most `limit`.
   * @param after the last id of the page before; undefined for the first page
   */
  page(after: string | undefined, limit: number): Promise<readonly KeptCitations[]>;
}
