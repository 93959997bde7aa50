import type { Expression } from '../domain/query/expression.js';
import type { ScoredChunk } from '../domain/ranking/scored-chunk.js';
import type { SourceTypeFilter } from '../domain/ranking/search.js';

/**
 * Finds the chunks of one project by their words, in heading and content alike.
 *
 * These count as the same word:
 * - Letter case never matters: `Redis` finds `redis`.
 * - Accents never matter: `cafe` finds `café`, and the other way round.
 * - English words match by their Porter stem: `caching` finds `cached`.
 * - Everything that is neither a letter nor a digit separates words: `gpt-4o` is `gpt` followed by `4o`.
 * - Texts are compared in NFKC, without soft hyphens and signs that nobody sees; the words of an expression are so
 *   already.
 * - Words of scripts without spaces (Chinese, Japanese, Korean, Thai, Lao, Khmer, Myanmar) are found inside runs of
 *   letters if the expression asks for it (`Term.inRun`), words of other scripts between such letters always.
 *
 * A phrase is found within the heading or within the content, never across the two. Relevance is BM25 (Robertson and
 * Zaragoza, "The Probabilistic Relevance Framework", 2009) with k1 = 1.2 and b = 0.75 over heading and content, as a
 * number above 0; higher is better.
 *
 * Every method may throw KnowledgeError `store_unavailable`.
 */
export interface KeywordIndex {
  /**
   * The chunks that match, most relevant first; equally relevant ones by importance, highest first, then in the order
   * in which they were added. A chunk that matches both as words and inside runs of letters has the better of the two
   * scores. An expression without anything to look for matches nothing.
   */
  search(query: KeywordQuery): Promise<readonly ScoredChunk[]>;
  /** How many chunks there are, and how many contain each of the words, counted up to `COUNTED_CHUNKS_MAX`. */
  countChunks(words: readonly string[]): Promise<ChunkCounts>;
  /**
   * Words in mixed case from the contents that have these letters as whole parts, in lower case:
   * `resolveprojectroot` for `projectroot`. None in a store of more than `SCANNED_CHUNKS_MAX` chunks, because all are
   * read.
   * @param letters of a to z, in lower case
   */
  mixedCaseWords(letters: string): Promise<readonly string[]>;
}

export interface ChunkCounts {
  readonly chunks: number;
  /** In the order of the words. */
  readonly holding: readonly number[];
}

export interface KeywordQuery {
  readonly expression: Expression;
  readonly filter: ChunkFilter;
  /** Most chunks that are returned. */
  readonly limit: number;
  /**
   * Where they are `counted`, for an expression of plain words, a chunk also has the names of its source (`nameWords`
   * of the domain): their relevance, with a weight of `NAME_WEIGHT`, is added to that of the chunk. A chunk that is not
   * among the best 100 by its own words may count by its names alone. Default `ignored`.
   */
  readonly names?: 'counted' | 'ignored';
  /**
   * `stored`: the words of the stored texts alone, so that anybody can compute the scores from the full-text index.
   * `all`: also the words inside runs of letters and those that normalizing changes. Default `all`.
   */
  readonly words?: 'stored' | 'all';
}

/** Which chunks a lookup may return. */
export interface ChunkFilter {
  /** An empty list matches no chunk. */
  readonly sourceTypes: SourceTypeFilter;
  /** Source files whose chunks are left out; absent or empty excludes nothing. */
  readonly excludedSources?: readonly string[];
  /** Only chunks of source files below one of these folders; absent for all. */
  readonly folders?: readonly string[];
  /** No chunks of source files below one of these folders; absent or empty excludes nothing. */
  readonly excludedFolders?: readonly string[];
  /** Only chunks of these source files; absent for any. An empty list matches no chunk. */
  readonly sourceFiles?: readonly string[];
  /** Only chunks that were created at this time or later; ISO 8601. */
  readonly since?: string;
  /** Only chunks that were created before this time; ISO 8601. */
  readonly until?: string;
  /** Only chunks that have all of these tags, compared exactly, including case; absent or empty filters nothing. */
  readonly tags?: readonly string[];
  /** Only these chunks; absent for any. */
  readonly chunkIds?: readonly string[];
}
