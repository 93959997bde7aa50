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

/** An OpenAI-compatible endpoint of a model. */
export interface EndpointConfig {
  /** With its path, e.g. `http://127.0.0.1:11434/v1`; without user name, password, query or fragment. */
  readonly baseUrl: string;
  readonly model: string;
  /** Printable ASCII without spaces. */
  readonly apiKey?: string | undefined;
}

/** A variable or an option has an invalid value; the message is one line that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Whether the service has the routes under `/x/`. */
export function hasExtensions({ variant }: { readonly variant: Variant }): boolean {
  return HAS_EXTENSIONS[variant];
}

/** Whether people can look at the service in a browser. */
export function hasConsole({ variant, console }: ServedParts): boolean {
  return HAS_EXTENSIONS[variant] && console === 'served';
}

interface ServedParts {
  readonly variant: Variant;
  readonly console: 'served' | 'off';
}

const HAS_EXTENSIONS: Readonly<Record<Variant, boolean>> = { hybrid: true, 'search-only': false };
