import type { Expression } from '../domain/query/expression.js';
import type { ScoredChunk } from '../domain/ranking/scored-chunk.js';
import type { SourceTypeFilter } from '../domain/ranking/search.js';

/**
 * Finds the chunks of one project by the words in heading and content.
 *
 * Words are compared as follows:
 * - Letter case does not matter: `Redis` finds `redis`.
 * - Accents do not matter: `cafe` finds `café`, and vice versa.
 * - English words match by their Porter stem: `caching` finds `cached`.
 * - All characters except letters and digits separate words: `gpt-4o` is `gpt` followed by `4o`.
 * - Texts are compared in NFKC, without soft hyphens and other invisible characters; expressions already are in this
 *   form.
 * - Words of scripts without spaces (Chinese, Japanese, Korean, Thai, Lao, Khmer, Myanmar) are found inside runs of
 *   letters if the expression asks for it (`Term.inRun`). Words of other scripts between such letters are always found.
 *
 * A phrase is found within the heading or within the content, never across the two. The score is BM25 (Robertson and
 * Zaragoza, "The Probabilistic Relevance Framework", 2009) with k1 = 1.2 and b = 0.75 over heading and content. It is
 * above 0; higher is better.
 *
 * Every method may throw KnowledgeError `store_unavailable`.
 */
export interface KeywordIndex {
  /**
   * The chunks that match, by score, then by importance (highest first), then in the order in which they were added. A
   * chunk that matches both as words and inside runs of letters gets the better score. An empty expression matches
   * nothing.
   */
  search(query: KeywordQuery): Promise<readonly ScoredChunk[]>;
  /** The number of chunks, and how many of them contain each word, counted up to `COUNTED_CHUNKS_MAX`. */
  countChunks(words: readonly string[]): Promise<ChunkCounts>;
  /**
   * Mixed-case words in the contents that have these letters as whole parts, in lower case: `resolveprojectroot` for
   * `projectroot`. Reads all chunks, so it returns nothing for a store with more than `SCANNED_CHUNKS_MAX`.
   * @param letters a to z, in lower case
   */
  mixedCaseWords(letters: string): Promise<readonly string[]>;
}

export interface ChunkCounts {
  readonly chunks: number;
  /** Number of chunks that contain each word, in the order of the words. */
  readonly holding: readonly number[];
}

export interface KeywordQuery {
  readonly expression: Expression;
  readonly filter: ChunkFilter;
  /** Maximum number of chunks. */
  readonly limit: number;
  /**
   * `counted`: plain words are also searched in the names of the source (`nameWords` of the domain). The score of the
   * names, times `NAME_WEIGHT`, is added to the score of the chunk. A chunk outside the best 100 by its own words may
   * get the score of its names alone. Default `ignored`.
   */
  readonly names?: 'counted' | 'ignored';
  /**
   * `stored`: only the words of the stored texts, so that the scores can be recomputed from the full-text index. `all`:
   * also words inside runs of letters, and words changed by normalization. Default `all`.
   */
  readonly words?: 'stored' | 'all';
}

/** Which chunks a lookup may return. */
export interface ChunkFilter {
  /** An empty list matches no chunk. */
  readonly sourceTypes: SourceTypeFilter;
  /** Source files whose chunks are left out; absent or empty excludes nothing. */
  readonly excludedSources?: readonly string[];
  /** Only chunks of source files below one of these folders; absent for any. */
  readonly folders?: readonly string[];
  /** No chunks of source files below one of these folders; absent or empty excludes nothing. */
  readonly excludedFolders?: readonly string[];
  /** Only chunks of these source files; absent for any. An empty list matches no chunk. */
  readonly sourceFiles?: readonly string[];
  /** Only chunks created at or after this ISO 8601 time. */
  readonly since?: string;
  /** Only chunks created before this ISO 8601 time. */
  readonly until?: string;
  /** Only chunks with all of these tags, compared case-sensitively; absent or empty filters nothing. */
  readonly tags?: readonly string[];
  /** Only these chunks; absent for any. */
  readonly chunkIds?: readonly string[];
}
