/** The two variants of the service (docs/specification.md, "Overview"). */
export const VARIANTS = ['hybrid', 'search-only'] as const;
export type Variant = (typeof VARIANTS)[number];

/** The backends that need no URL, and what they ask of the process: what is kept in memory can only be in one. */
export const NAMED_BACKENDS = {
  sqlite: { help: 'one file per project', process: {} },
  memory: { help: 'nothing is written', process: { workers: 0 } },
} as const;

export type StoreBackend = keyof typeof NAMED_BACKENDS | 'postgres';
export const STORE_BACKENDS = [
  ...Object.keys(NAMED_BACKENDS),
  'postgres',
] as readonly StoreBackend[];

/** Levels of the service's own logger, which writes JSON lines to standard error. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Whether the embedding model may be downloaded; one that is in the data directory is used in any case. */
export type Downloads = 'allowed' | 'forbidden';

/** `native` is the package onnxruntime-node, which must be installed; `auto` uses it where it is; `wasm` does not look for it. */
export const RUNTIMES = ['wasm', 'native', 'auto'] as const;
export type Runtime = (typeof RUNTIMES)[number];

export type Fetching = 'allowed' | 'forbidden';

/** Whether a browser finds the console at `/`. */
type ConsoleMode = 'served' | 'off';

/** An OpenAI-compatible endpoint of a model. */
export interface EndpointConfig {
  /** With its path, e.g. `http://127.0.0.1:11434/v1`; without user name, password, query or fragment. */
  readonly baseUrl: string;
  readonly model: string;
  /** Printable ASCII without spaces. */
  readonly apiKey?: string | undefined;
}

/**
 * The configuration of the service, whether it comes from variables or from the options of the library;
 * `docs/configuration.md` describes every one. Defaults are those of both.
 */
export interface Config {
  /** `hybrid` (default) ranks by keyword and meaning, `search-only` by keyword. */
  readonly variant: Variant;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Name of the application directory inside each project; absent: the one that the project has, else `.knowledge`. */
  readonly appDir?: string | undefined;
  /** Directory for the embedding model, which is in its folder `models`; default `./data`. */
  readonly dataDir: string;
  /** Absolute directories; a project outside all of them is refused. Default: every directory is served. */
  readonly roots: readonly string[];
  readonly token?: string | undefined;
  /** Without effect in the search-only variant, which has no console. */
  readonly console: ConsoleMode;
  /** Further hosts by which requests may address the service; a name allows every port, `name:port` that one. */
  readonly allowedHosts: readonly string[];
  readonly backend: StoreBackend;
  /** Of the backend `postgres`: `postgres://user:password@host:port/database`. */
  readonly databaseUrl?: string | undefined;
  /** Processes in which the service works on projects; 0: its own. The library and the commands never use others. */
  readonly workers: number;
  /** Memory of one of them in MB, beyond which it is replaced. */
  readonly workerMb: number;
  /** Name of the embedding model on the hub, default `Xenova/all-MiniLM-L6-v2`, or at the endpoint `embeddings`. */
  readonly model: string;
  /** What the local model runs on. Default `wasm`. */
  readonly runtime: Runtime;
  /** Base URL of a hub or mirror; absent means the default of the adapter. */
  readonly modelHost?: string | undefined;
  readonly downloads: Downloads;
  readonly fetch: Fetching;
  /** If absent, there are no questions, no compaction and no lessons; search is not affected. */
  readonly languageModel?: EndpointConfig | undefined;
  /** Makes embeddings of 384 values in place of a local model. */
  readonly embeddings?: EndpointConfig | undefined;
  /** Orders the first 20 results of a search again; absent: they stay as they are. */
  readonly reranking?: EndpointConfig | undefined;
  readonly logLevel: LogLevel;
}

/** A variable or an option has an invalid value; the message is one line that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Whether the service has the routes under `/x/`. */
export function hasExtensions({ variant }: Config): boolean {
  return HAS_EXTENSIONS[variant];
}

/** Whether people can look at the service in a browser. */
export function hasConsole({ variant, console }: Config): boolean {
  return HAS_EXTENSIONS[variant] && console === 'served';
}

const HAS_EXTENSIONS: Readonly<Record<Variant, boolean>> = { hybrid: true, 'search-only': false };
