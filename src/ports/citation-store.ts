import type { JudgedCitation } from '../domain/citations/citation.js';

/** The citations of a chunk, and their states. */
export interface StoredCitations {
  readonly chunkId: string;
  /** ISO 8601 time since which changes count. */
  readonly citedAt: string;
  /** At least one. */
  readonly citations: readonly JudgedCitation[];
}

/**
 * The citations of one project's chunks. `replaceSources` stores those of each draft as `current`. A kept chunk keeps
 * its citations, under its new id if it moved; if it has none, or the document says `renewed`, it gets those of the
 * draft. Citations are deleted with their chunk.
 *
 * Every method may throw KnowledgeError `store_unavailable`; `judge` may also throw `storage_full`.
 */
export interface CitationStore {
  /**
   * Citations by chunk, sorted by chunk id in code units: those of the given chunks, those of stale chunks, or those
   * that cite one file. Chunks without any are left out.
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
