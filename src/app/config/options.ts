import type { ChunkRepository } from '../../ports/chunk-repository.js';
import type { Clock } from '../../ports/clock.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import type { QuestionGenerator, Summarizer } from '../../ports/language-model.js';
import type { Logger } from '../../ports/logger.js';
import type { CorePorts } from '../core-ports.js';
import type { LogLevel, StoreBackend } from './config.js';
import type { Config } from './fields.js';

/** Where a PostgreSQL database is, with user and password where it asks for them. */
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
 * The options of the library; `docs/configuration.md` describes each as an environment variable. An API key or a model
 * of an endpoint needs its base URL, and `model` must be absent or the model of `backends.embedder`.
 */
export interface KnowledgeStoreOptions extends Optional<Pick<Config, ConfigOption>> {
  /**
   * Where chunks and vectors are stored, `sqlite` by default; `docs/configuration.md` describes each backend. A
   * PostgreSQL database is named by its URL, `postgres://user:password@host:port/database`.
   */
  readonly backend?: Exclude<StoreBackend, 'postgres'> | DatabaseUrl | undefined;
  /**
   * Whether the sources of projects in use are watched, as the service does; default false, so that nothing is
   * indexed unasked.
   */
  readonly watch?: boolean | undefined;
  /** A log level (default `warn`), or a custom logger, which gets messages of every level. */
  readonly logger?: LogLevel | Logger | undefined;
  readonly backends?: Backends | undefined;
}

/** Custom adapters of a host program; each replaces one of the service. */
export type Backends = Optional<
  Omit<CorePorts, InnerPort | keyof ReplaceablePorts> & ReplaceablePorts
>;

/** The ports of the specification. Members with a default are optional; a port without a required method is refused. */
export interface ReplaceablePorts {
  /**
   * Holds the chunks and finds them by their words, in place of the service's own stores; then the rest is kept in
   * memory.
   */
  readonly chunkRepository: ChunkRepository;
  /**
   * `model` is "custom" and `dimensions` 384 by default. Without `status` the model is ready when `isReady` says so,
   * and without `load` it is loaded by embedding a short text.
   */
  readonly embedder: AtLeast<EmbeddingModel, 'embed' | 'embedBatch' | 'isReady'>;
  /** Called at most ten times a minute. */
  readonly questionGenerator: QuestionGenerator;
  readonly summarizer: Summarizer;
  /** `monotonic` and `sleep` default to the system's. */
  readonly clock: AtLeast<Clock, 'now'>;
}

type AtLeast<Port, Methods extends keyof Port> = Pick<Port, Methods> & Partial<Port>;

/** Ports that only the service itself replaces. */
type InnerPort = 'logger' | 'fileNames' | 'appDirs' | 'projectHistory' | 'databases' | 'metrics';
