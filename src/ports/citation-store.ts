import type { JudgedCitation } from '../domain/citations/citation.js';

/** What a chunk cites, and what has become of it. */
export interface StoredCitations {
  readonly chunkId: string;
  /** ISO 8601 time from which on the citations are judged. */
  readonly citedAt: string;
  /** At least one. */
  readonly citations: readonly JudgedCitation[];
}

/**
 * The citations of the chunks of one project. They come with the chunks: `replaceSource` of the chunk repository stores those
 * of each draft as `current`. A chunk that is kept keeps its own, under its new id if it has moved; if it has none, or the
 * document says `renewed`, it gets those of the draft. They go when the chunk goes.
 *
 * Every method may throw KnowledgeError `store_unavailable`; `judge` may also throw `storage_full`.
 */
export interface CitationStore {
  /** The citations of these chunks, in no particular order; a chunk without any is left out. */
  of(chunkIds: readonly string[]): Promise<readonly StoredCitations[]>;
  /** All citations of the chunks that cite what has changed or is gone; sorted by chunk id in code units. */
  stale(): Promise<readonly StoredCitations[]>;
  /** The paths of all cited files, each once, in no particular order. */
  citedPaths(): Promise<readonly string[]>;
  /** The citations of these files, each once however many chunks have it, in no particular order. */
  citationsOf(paths: readonly string[]): Promise<readonly JudgedCitation[]>;
  /** Stores what has become of these citations, for every chunk that has one of them. */
  judge(citations: readonly JudgedCitation[]): Promise<void>;
}
