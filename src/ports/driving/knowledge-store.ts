import type { SearchAnswer, SearchOptions } from '../../domain/search.js';
import type { StoreStats, VectorStatus } from '../../domain/stats.js';
import type { EmbedderState } from '../driven/embedder.js';

/** What became of the files of an ingestion. */
export interface IngestionReport {
  /** Files that the index holds after the run: new, changed and unchanged, those without text left out. */
  readonly indexed: number;
  /** Files that are there but were not read, and why. */
  readonly skipped: readonly { readonly sourceFile: string; readonly reason: string }[];
}

/** Stats, and whether searches of this project really use vectors. */
export interface KnowledgeStats extends StoreStats {
  readonly enabledHybridRetrieval: boolean;
}

export interface ModelStatus {
  readonly name: string;
  readonly state: EmbedderState;
}

export interface PrunedChunk {
  readonly id: string;
  readonly sourceFile: string;
  /** A sentence: since when the chunk was not asked for. */
  readonly reason: string;
}

/** What compaction did, or would do. */
export interface CompactionReport {
  readonly compacted: boolean;
  /** A sentence. */
  readonly reason: string;
  /** `estimateTokens` of the file before. */
  readonly tokensBefore: number;
  /** `estimateTokens` of the file after; as before where nothing changed. */
  readonly tokensAfter: number;
}

export interface SimilarityOptions {
  /** A source file whose chunks are left out. */
  readonly sourceFile?: string;
  readonly maxResults?: number;
}

export interface ReflectionSearchOptions {
  readonly maxResults?: number;
  /** A feature whose own chunks are left out. */
  readonly excludedFeature?: string;
}

/**
 * The service, as every driver sees it (specification, "Service methods"). `projectPath` is the
 * absolute path of an existing directory. The project's store is created on first use, except by the
 * three methods that only tell what there is: they count zero where nothing was ever stored.
 *
 * Every method may throw KnowledgeError `invalid_request`, `path_not_allowed`, `project_not_found`,
 * `schema_too_new`, `store_unavailable`; those that write also `storage_full`.
 */
export interface KnowledgeStore {
  /** Opens the project's store and creates what is missing of it. */
  initialize(projectPath: string): Promise<void>;
  /**
   * The chunks that answer a query, within a budget. Counts as a retrieval of what it returns.
   * Never fails because a model is missing or counts cannot be written.
   * @throws KnowledgeError `invalid_request` for a blank query or a number out of range
   */
  search(projectPath: string, query: string, options?: SearchOptions): Promise<SearchAnswer>;
  /** Lessons of features: reflections and agent outputs, 3000 tokens, any text as query. Counts as a retrieval. */
  searchReflections(
    projectPath: string,
    query: string,
    options?: ReflectionSearchOptions,
  ): Promise<SearchAnswer>;
  /** Chunks like a text, judged by its first 20 words. Changes no metric. */
  findSimilarChunks(
    projectPath: string,
    text: string,
    options?: SimilarityOptions,
  ): Promise<SearchAnswer>;
  /** Indexes `features/{id}/reflection.md` of every feature. */
  ingestReflections(projectPath: string): Promise<IngestionReport>;
  /** Indexes the last 2000 characters of `features/{id}/agent-output.md` of every feature. */
  ingestAgentOutputs(projectPath: string): Promise<IngestionReport>;
  /** Reads all sources again unless the project's settings say no, then rebuilds the full-text index. */
  reindex(projectPath: string): Promise<IngestionReport>;
  /** Rebuilds the full-text index from the chunks. */
  rebuildIndex(projectPath: string): Promise<void>;
  /** Creates nothing. */
  getStats(projectPath: string): Promise<KnowledgeStats>;
  /** Creates nothing. */
  getEmbeddingStatus(projectPath: string): Promise<VectorStatus>;
  /** Creates nothing. */
  getHypeStatus(projectPath: string): Promise<VectorStatus>;
  getModelStatus(): ModelStatus;
  /**
   * Summarises `<appdir>/memory/{categoryFile}.md` when it is over `threshold` tokens (default 50,000).
   * @throws KnowledgeError `category_not_found`, `model_unavailable`
   */
  compactCategory(
    projectPath: string,
    categoryFile: string,
    threshold?: number,
  ): Promise<CompactionReport>;
  /** What `compactCategory` would do; calls no model and changes nothing. */
  previewCompaction(
    projectPath: string,
    categoryFile: string,
    threshold?: number,
  ): Promise<CompactionReport>;
  /** Deletes the chunks that were never retrieved and are 90 days old, and answers them. */
  pruneStaleChunks(projectPath: string): Promise<readonly PrunedChunk[]>;
  /** The chunks that `pruneStaleChunks` would delete. */
  previewPrune(projectPath: string): Promise<readonly PrunedChunk[]>;
}
