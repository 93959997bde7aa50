/** The two products that this service can be (`docs/specification.md`, "Service"). */
export const VARIANTS = ['hybrid', 'search-only'] as const;
export type Variant = (typeof VARIANTS)[number];

/** What keeps chunks and vectors: one SQLite file per project, or memory, which writes nothing. */
export const STORE_BACKENDS = ['sqlite', 'memory'] as const;
export type StoreBackend = (typeof STORE_BACKENDS)[number];

/** How much the service's own logger writes, as JSON lines on standard error. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const DOWNLOADS = ['allowed', 'forbidden'] as const;
export type Downloads = (typeof DOWNLOADS)[number];

/** An OpenAI-compatible endpoint of a small language model. */
export interface LanguageModelConfig {
  /** With its path, `http://127.0.0.1:11434/v1`; without user name, password, query or fragment. */
  readonly baseUrl: string;
  /** Default `gpt-4o-mini`. */
  readonly model: string;
  /** Printable ASCII without spaces. */
  readonly apiKey?: string | undefined;
}

/** How the service was asked to run; `docs/configuration.md` describes every variable. */
export interface Config {
  readonly variant: Variant;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Name of the application directory inside each project. */
  readonly appDir: string;
  readonly dataDir: string;
  /** Directories whose projects may be served; empty: all. */
  readonly roots: readonly string[];
  readonly token?: string | undefined;
  readonly backend: StoreBackend;
  /** Embedding model on the hub, `owner/name`. */
  readonly model: string;
  /** Base URL of a hub or mirror; absent: the adapter's own. */
  readonly modelHost?: string | undefined;
  readonly downloads: Downloads;
  /** Absent: HyPE waits, compaction and lessons fail with `model_unavailable`. */
  readonly languageModel?: LanguageModelConfig | undefined;
  readonly logLevel: LogLevel;
}

/** A variable or an option with a value that cannot be used; the message is one line that names it. */
export class ConfigError extends Error {}
