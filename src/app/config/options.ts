import type { Clock } from '../../ports/driven/clock.js';
import type { Embedder } from '../../ports/driven/embedder.js';
import type { FrontmatterParser } from '../../ports/driven/frontmatter-parser.js';
import type { LessonExtractor } from '../../ports/driven/lesson-extractor.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { PageFetcher } from '../../ports/driven/page-fetcher.js';
import type { ProjectDirectories } from '../../ports/driven/project-directories.js';
import type { ProjectFiles } from '../../ports/driven/project-files.js';
import type { ProjectStores } from '../../ports/driven/project-stores.js';
import type { QuestionGenerator } from '../../ports/driven/question-generator.js';
import type { Reranker } from '../../ports/driven/reranker.js';
import type { SettingsSource } from '../../ports/driven/settings-source.js';
import type { SourceWatcher } from '../../ports/driven/source-watcher.js';
import type { Summarizer } from '../../ports/driven/summarizer.js';
import type { MakeVectorIndex } from '../projects/with-vector-indexes.js';
import type {
  Downloads,
  EndpointConfig,
  Fetching,
  LogLevel,
  StoreBackend,
  Variant,
} from './config.js';

/** Where a PostgreSQL database is, with user and password where it asks for them. */
export type DatabaseUrl = `postgres://${string}` | `postgresql://${string}`;

/** The options of the library; `docs/configuration.md` describes each as an environment variable. */
export interface KnowledgeStoreOptions {
  /** `hybrid` (default) ranks by keyword and meaning, `search-only` by keyword. */
  readonly variant?: Variant | undefined;
  /** Name of the folder in each project that contains the database; default: the one that the project has, else `.knowledge`. */
  readonly appDir?: string | undefined;
  /** Directory for the embedding model, which is in its folder `models`; default `./data`. */
  readonly dataDir?: string | undefined;
  /** Absolute directories; a project outside all of them is refused. If absent, every directory is served. */
  readonly roots?: readonly string[] | undefined;
  /**
   * Where chunks and vectors are stored: `sqlite` (default), one file per project; `memory`, which writes
   * nothing to disk; or a PostgreSQL database, `postgres://user:password@host:port/database`.
   */
  readonly backend?: Exclude<StoreBackend, 'postgres'> | DatabaseUrl | undefined;
  /** Seconds after which the database of a project that nobody uses is closed; default 300. */
  readonly idleSeconds?: number | undefined;
  /** Databases that are open at once; default 100. */
  readonly openProjects?: number | undefined;
  /**
   * Embedding model on the hub, `owner/name`; default `Xenova/all-MiniLM-L6-v2`. Ignored if `backends.embedder`
   * is set, but must then be absent or equal to its model.
   */
  readonly model?: string | undefined;
  /** Base URL of another hub or mirror. */
  readonly modelHost?: string | undefined;
  /** `forbidden`: the model is used if it is in `dataDir`, and never downloaded. Default `allowed`. */
  readonly downloads?: Downloads | undefined;
  /** `allowed` lets `pages` fetch public web pages. Default `forbidden`. */
  readonly fetch?: Fetching | undefined;
  /** If absent, there are no questions, no compaction and no lessons; search is not affected. */
  readonly languageModel?: EndpointConfig | undefined;
  /** An endpoint that makes embeddings of 384 values; `model` is then ignored. */
  readonly embeddings?: EndpointConfig | undefined;
  /** An endpoint that orders the first 20 results of a search again. */
  readonly reranking?: EndpointConfig | undefined;
  /**
   * Whether the sources of projects in use are watched, as the service does; default false, so that nothing is
   * indexed unasked.
   */
  readonly watch?: boolean | undefined;
  /** A log level (default `warn`), or a custom logger, which gets messages of every level. */
  readonly logger?: LogLevel | Logger | undefined;
  /** Custom adapters that replace those of the service. */
  readonly backends?: Backends | undefined;
}

/**
 * Custom adapters of a host program; each replaces one of the service. The doc comment of each port says
 * what its adapter must do. The service takes ownership of `stores` and `embedder`, and closes them when
 * it stops.
 */
export interface Backends {
  /** Stores chunks and vectors; replaces `backend`. */
  readonly stores?: ProjectStores | undefined;
  /** Makes the vector indexes of each project, with any store; replaces the vector indexes of the store. */
  readonly vectors?: MakeVectorIndex | undefined;
  /** Turns text into vectors; replaces the transformer model. The search-only variant does not use it. */
  readonly embedder?: Embedder | undefined;
  /** Reads and writes the files of projects; replaces the file system. */
  readonly files?: ProjectFiles | undefined;
  /** Decides which directories may be served as projects; replaces `roots`. */
  readonly directories?: ProjectDirectories | undefined;
  /** Settings of projects; replaces `settings.json`, or the constants of the search-only variant. */
  readonly settings?: SettingsSource | undefined;
  readonly frontmatter?: FrontmatterParser | undefined;
  /** This and the next two are the roles of the small language model; they replace `languageModel`. */
  readonly questions?: QuestionGenerator | undefined;
  readonly summarizer?: Summarizer | undefined;
  readonly lessons?: LessonExtractor | undefined;
  /** Orders the first results of a search again; replaces `reranking`. */
  readonly reranker?: Reranker | undefined;
  /** Fetches web pages; replaces `fetch`. */
  readonly pages?: PageFetcher | undefined;
  /** Notices changes of sources; replaces what the option `watch` chooses. */
  readonly watcher?: SourceWatcher | undefined;
  readonly clock?: Clock | undefined;
}
