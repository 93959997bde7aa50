import type { ChunkRepository } from '../../ports/chunk-repository.js';
import type { Clock } from '../../ports/clock.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import type { QuestionGenerator, Summarizer } from '../../ports/language-model.js';
import type { Logger } from '../../ports/logger.js';
import type { CorePorts } from '../core-ports.js';
import type { LogLevel, StoreBackend } from './config.js';
import type { Config } from './fields.js';

/** The URL of a PostgreSQL database, with user and password if needed. */
export type DatabaseUrl = `postgres://${string}` | `postgresql://${string}`;

type Optional<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

type ConfigOption =
  | 'variant'
  | 'appDir'
  | 'dataDir'
  | 'roots'
  | 'model'
  | 'reranker'
  | 'runtime'
  | 'modelHost'
  | 'downloads'
  | 'fetch'
  | 'languageModel'
  | 'embeddings'
  | 'reranking';

/**
 * The options of the library; `docs/configuration.md` describes each as an environment variable. An endpoint's API key
 * or model needs its base URL. `model` must be absent or equal to the name of `backends.embedder`.
 */
export interface KnowledgeStoreOptions extends Optional<Pick<Config, ConfigOption>> {
  /**
   * Where chunks and vectors are stored, `sqlite` by default; `docs/configuration.md` describes each backend. For
   * PostgreSQL, the URL of the database: `postgres://user:password@host:port/database`.
   */
  readonly backend?: Exclude<StoreBackend, 'postgres'> | DatabaseUrl | undefined;
  /**
   * Whether to watch the sources of projects in use, as the service does. False by default: nothing is indexed unasked.
   */
  readonly watch?: boolean | undefined;
  /** A log level (default `warn`), or a custom logger, which gets messages of every level. */
  readonly logger?: LogLevel | Logger | undefined;
  readonly backends?: Backends | undefined;
}

/** Custom adapters of a host program; each replaces one of the service's own. */
export type Backends = Optional<
  Omit<CorePorts, InnerPort | keyof ReplaceablePorts> & ReplaceablePorts
>;

/**
 * The ports of the specification. Members with a default are optional; a port that lacks a required method is refused.
 */
export interface ReplaceablePorts {
  /**
   * Stores the chunks and finds them by their words, instead of the service's own stores. Everything else is then kept
   * in memory.
   */
  readonly chunkRepository: ChunkRepository;
  /**
   * `model` is "custom" and `dimensions` 384 by default. Without `status`, `isReady` decides whether the model is
   * ready; without `load`, embedding a short text loads it.
   */
  readonly embedder: AtLeast<EmbeddingModel, 'embed' | 'embedBatch' | 'isReady'>;
  /** Called at most ten times a minute. */
  readonly questionGenerator: QuestionGenerator;
  readonly summarizer: Summarizer;
  /** `monotonic` and `sleep` default to the system's. */
  readonly clock: AtLeast<Clock, 'now'>;
}

type AtLeast<Port, Methods extends keyof Port> = Pick<Port, Methods> & Partial<Port>;

/** Ports that only the service itself may replace. */
type InnerPort = 'logger' | 'fileNames' | 'appDirs' | 'projectHistory' | 'databases' | 'metrics';
