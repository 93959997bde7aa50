import type { JudgedCitation } from '../domain/citations/citation.js';

/** The citations of a chunk, and their states. */
export interface StoredCitations {
  readonly chunkId: string;
  /** ISO 8601 time from which on the citations are judged. */
  readonly citedAt: string;
  /** At least one. */
  readonly citations: readonly JudgedCitation[];
}

/**
 * The citations of the chunks of one project. They come with the chunks: `replaceSource` of the chunk repository stores
 * those of each draft as `current`. A chunk that is kept keeps its own, under its new id if it has moved; if it has
 * none, or the document says `renewed`, it gets the citations of the draft. They are deleted with the chunk.
 *
 * Every method may throw KnowledgeError `store_unavailable`; `judge` may also throw `storage_full`.
 */
export interface CitationStore {
  /**
   * Citations by their chunks, sorted by chunk id in code units: all of the given chunks, of which those without any
   * are left out; all of stale chunks; or the citations of one file.
   */
  find(which: CitationFilter): Promise<readonly StoredCitations[]>;
  /** The paths of all cited files, each once, in no particular order. */
  citedPaths(): Promise<readonly string[]>;
  /** Stores the states of these citations for every chunk that has one of them. */
  judge(citations: readonly JudgedCitation[]): Promise<void>;
}

export type CitationFilter =
  | { readonly chunkIds: readonly string[] }
  | { readonly path: string }
  | 'stale';
