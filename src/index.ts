import { parseFrontmatter } from './adapters/yaml/yaml-frontmatter-parser.js';
import type { KnowledgeStoreOptions } from './app/config/options.js';
import { configFrom } from './app/config/read-config.js';
import type { RunningKnowledgeStore } from './app/library/library.js';
import { createContainer as containerOf } from './app/wiring/container.js';
import { hostOptions } from './app/wiring/replaceable-ports.js';
import { TOKENS } from './app/wiring/tokens.js';
import type { MemoryChunk } from './domain/chunks/chunk.js';
import { chunkMarkdownFile as chunkMarkdown } from './domain/chunks/chunking.js';

export {
  ConfigError,
  type Downloads,
  type EndpointConfig,
  type Fetching,
  type LogLevel,
  STORE_BACKENDS,
  type StoreBackend,
  VARIANTS,
  type Variant,
} from './app/config/config.js';
export type {
  Backends,
  DatabaseUrl,
  KnowledgeStoreOptions,
  ReplaceablePorts,
} from './app/config/options.js';
export type { CallOptions as Watching } from './app/ingestion/source-reader.js';
export type { CompletionReport } from './app/lessons/feature-completion.js';
export type { FoundLessons } from './app/lessons/lessons-for-feature.js';
export type { RunningKnowledgeStore, VectorLike } from './app/library/library.js';
export type { FoundInProjects } from './app/search/search-projects.js';
export type { ChunkDetails } from './app/sources/chunk-details.js';
export { TOKENS } from './app/wiring/tokens.js';
export {
  type Chunk,
  type Chunk as KnowledgeChunk,
  chunkId,
  type DraftChunk,
  embeddingText,
  type MemoryChunk,
  SOURCE_TYPES,
  type SourceDocument,
  type SourceType,
} from './domain/chunks/chunk.js';
export {
  type CurrentNote,
  type ErrorCode,
  KnowledgeError,
  ModelCallError,
  type ModelCallFailure,
} from './domain/errors.js';
export type { Lesson } from './domain/lessons/lesson-text.js';
export {
  AGENT_OUTPUT_TAIL_CHARACTERS,
  CHUNK_MAX_TOKENS,
  COMPACTION_THRESHOLD_TOKENS,
  DEFAULT_MAX_RESULTS,
  DEFAULT_MAX_TOKENS,
  EMBEDDING_DIMENSIONS,
  HYPE_QUESTIONS,
  KEYWORD_CANDIDATES,
  MAX_RESULTS_RANGE,
  MAX_TOKENS_RANGE,
  PRUNE_AFTER_DAYS,
  REFLECTION_SEARCH_MAX_RESULTS,
  REFLECTION_SEARCH_MAX_TOKENS,
  RRF_K,
} from './domain/limits.js';
export type { ContentStats, Stats, VectorStatus } from './domain/overview/stats.js';
export type { Expression, Term } from './domain/query/expression.js';
export type { ScoredChunk } from './domain/ranking/scored-chunk.js';
export type { RetrievalMode, SearchResult, SourceTypeFilter } from './domain/ranking/search.js';
export type { CosineStatistics } from './domain/ranking/vector.js';
export {
  cosineSimilarity,
  normalize as normalized,
  normalizedMean,
  type Vector,
} from './domain/ranking/vector.js';
export {
  type CandidateSet,
  DEFAULT_SETTINGS,
  type Fusion,
  type Settings,
} from './domain/settings.js';
export { estimateTokens, tokenCost } from './domain/text.js';
export { type ChunkUse, isPrunable } from './domain/upkeep/pruning.js';
export type * from './driven-ports.js';
export type {
  AnswerNote,
  CandidateCounts,
  Explanation,
  RankTrace,
  ReadAnswer,
  SearchAnswer,
} from './schemas/explanation.js';
export type { SearchRequest } from './schemas/search.js';
export type {
  IngestionReport,
  SkippedSource,
  SourceDeletion,
  SourceLines,
  SourceOverview,
} from './schemas/sources.js';
export type { CompactionReport, Diagnosis } from './schemas/upkeep.js';

/**
 * Starts a knowledge store in this process. Databases are opened and the model is loaded on first use.
 * @example
 * ```js
 * import { createKnowledgeStore } from 'knowledge-store';
 *
 * const { store, stop } = createKnowledgeStore({ variant: 'search-only' });
 * await store.reindex('/home/me/project');
 * const { results } = await store.search('/home/me/project', 'database migration', { maxResults: 3 });
 * for (const { chunk } of results) console.log(chunk.sourceFile, chunk.heading);
 * await stop();
 * ```
 * @throws ConfigError for an invalid option; the message names it
 */
export function createKnowledgeStore(options: KnowledgeStoreOptions = {}): RunningKnowledgeStore {
  return createContainer(options).get(TOKENS.service);
}

/**
 * Creates the container of a knowledge store. A program can rebind each of the `TOKENS` before it gets the service.
 * @example
 * ```js
 * import { createContainer, TOKENS } from 'knowledge-store';
 *
 * const container = createContainer();
 * container.rebind(TOKENS.embedder).toConstantValue(myEmbedder);
 * const { store, stop } = container.get(TOKENS.service);
 * ```
 * @throws ConfigError for an invalid option; `get` also for a port that lacks a method
 */
export function createContainer(
  options: KnowledgeStoreOptions = {},
): ReturnType<typeof containerOf> {
  return containerOf(configFrom(options), hostOptions(options));
}

/**
 * Cuts a markdown file into chunks, as the service does: one chunk per `##` section, or one per paragraph
 * in a file without `##`. The first chunk has the `tags` and the `importance` of the frontmatter.
 * @example
 * ```js
 * import { chunkMarkdownFile } from 'knowledge-store';
 *
 * chunkMarkdownFile('---\ntags: [db]\n---\n## Locks\nUse WAL.\n\n## Pages\nUse 4 KiB.\n');
 * // [ { heading: 'Locks', content: 'Use WAL.', chunkIndex: 0, tags: [ 'db' ] },
 * //   { heading: 'Pages', content: 'Use 4 KiB.', chunkIndex: 1, tags: [] } ]
 * ```
 */
export function chunkMarkdownFile(
  fileContent: string,
  options: MarkdownChunkingOptions = {},
): readonly MemoryChunk[] {
  const chunks = chunkMarkdown(fileContent, { ...options, parseYaml: parseFrontmatter });
  return chunks.map(({ cites: _, tags = [], ...chunk }) => ({ ...chunk, tags }));
}

export interface MarkdownChunkingOptions {
  /** Maximum number of tokens of a chunk, heading and content together; default 500. */
  readonly maxTokens?: number;
  /** Heading of chunks without one; default: the file's first `#` title. */
  readonly defaultHeading?: string;
}
