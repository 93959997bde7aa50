import type { Logger } from '../../ports/driven/logger.js';
import type { CorePorts } from '../core-ports.js';
import type { Config, LogLevel, StoreBackend } from './config.js';

/** Where a PostgreSQL database is, with user and password where it asks for them. */
export type DatabaseUrl = `postgres://${string}` | `postgresql://${string}`;

/** Each may be left out or undefined. */
type Optional<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

type ConfigOption =
  | 'variant'
  | 'appDir'
  | 'dataDir'
  | 'roots'
  | 'model'
  | 'modelHost'
  | 'downloads'
  | 'fetch'
  | 'languageModel'
  | 'embeddings'
  | 'reranking';

/**
 * The options of the library; `docs/configuration.md` describes each as an environment variable. An API key or a model
 * of an endpoint needs its base URL, and `model` must be absent or that of `backends.embedder`.
 */
export interface KnowledgeStoreOptions extends Optional<Pick<Config, ConfigOption>> {
  /**
   * Where chunks and vectors are stored, `sqlite` by default; `docs/configuration.md` describes each backend. A PostgreSQL
   * database is named by its URL, `postgres://user:password@host:port/database`.
   */
  readonly backend?: Exclude<StoreBackend, 'postgres'> | DatabaseUrl | undefined;
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

/** Custom adapters of a host program; each replaces one of the service. */
export type Backends = Optional<Omit<CorePorts, InnerPort>>;

/** Ports that only the service itself replaces. */
type InnerPort = 'logger' | 'fileNames' | 'appDirs' | 'databases' | 'metrics';
