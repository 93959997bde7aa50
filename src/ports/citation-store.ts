import type { JudgedCitation } from '../domain/citations/citation.js';

/** The citations of a chunk, and their states. */
export interface StoredCitations {
  readonly chunkId: string;
  /** ISO 8601 time from which changes of the cited files count. */
  readonly citedAt: string;
  /** At least one. */
  readonly citations: readonly JudgedCitation[];
}

/**
 * The citations of one project's chunks. `replaceSources` stores the citations of each draft chunk as `current`. A kept
 * chunk keeps its citations, under its new id if it moved. If it has none, or the citations of the document are
 * `renewed`, it gets the citations of its draft. Citations are deleted with their chunk.
 *
 * Every method may throw KnowledgeError `store_unavailable`; `judge` may also throw `storage_full`.
 */
export interface CitationStore {
  /**
   * Finds citations by chunk, sorted by chunk id in code units: the citations of the given chunks, of stale chunks, or
   * of one file. Chunks without any are left out.
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
