import type { Problem, ValueSchema } from '../../schemas/config.js';
import { serverUrls } from '../../shared/database-url.js';

/** The two variants of the service (docs/specification.md, "Overview"). */
export const VARIANTS = ['hybrid', 'search-only'] as const;
export type Variant = (typeof VARIANTS)[number];

/**
 * Backends that need no URL. `process` holds settings that the backend enforces: an in-memory store works only in a
 * single process.
 */
export const NAMED_BACKENDS = {
  sqlite: { help: 'one file per project', process: {} },
  memory: { help: 'nothing is written', process: { workers: 0, service: 'off' } },
} as const satisfies Partial<Record<StoreBackend, object>>;

export const STORE_BACKENDS = ['sqlite', 'memory', 'postgres'] as const;
export type StoreBackend = (typeof STORE_BACKENDS)[number];

/** Levels of the service's own logger, which writes to standard error. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Whether models may be downloaded. A model that is already in the data directory is used either way. */
export type Downloads = 'allowed' | 'forbidden';

/** `native` needs the package onnxruntime-node; `auto` uses it if it is installed; `wasm` never uses it. */
export const RUNTIMES = ['wasm', 'native', 'auto'] as const;

export type Fetching = 'allowed' | 'forbidden';

/** An OpenAI-compatible endpoint of a model. */
export interface EndpointConfig {
  /** Includes the path, e.g. `http://127.0.0.1:11434/v1`, but no user name, password, query or fragment. */
  readonly baseUrl: string;
  readonly model: string;
  /** Printable ASCII without spaces. */
  readonly apiKey?: string | undefined;
}

/** Thrown for an invalid variable or option. The message is one line that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Whether the service has the routes under `/x/`. */
export function hasExtensions({ variant }: { readonly variant: Variant }): boolean {
  return HAS_EXTENSIONS[variant];
}

export function hasConsole({ variant, console }: ServedParts): boolean {
  return HAS_EXTENSIONS[variant] && console === 'served';
}

interface ServedParts {
  readonly variant: Variant;
  readonly console: 'served' | 'off';
}

const HAS_EXTENSIONS: Readonly<Record<Variant, boolean>> = { hybrid: true, 'search-only': false };

/** Where a value comes from: an environment variable of the process, or an option of the library. */
export type ConfigSource = 'variable' | 'option';

export interface Field {
  readonly variable: string;
  /** The library option; absent for entries that concern only the process. */
  readonly option?: string;
  /** Description for `--help`, without the default. */
  readonly help: string;
  readonly byDefault?: string | number | readonly string[];
  /** Default of the option, if it differs from the variable's. */
  readonly optionDefault?: string | number;
  /** The default in the syntax of the variable, if that differs from `byDefault`. */
  readonly defaultText?: string;
  /** Parses the text of a variable; absent if the text itself is the value. */
  readonly parse?: (text: string) => unknown;
  /**
   * The message of the schema continues a sentence that begins with the name of the variable or option. It does not
   * contain the value.
   */
  readonly schema: ValueSchema;
  /** Replaces the message of the schema for the variable. */
  readonly variableRule?: string;
  /** `guard`: the entry protects something, so an empty variable is an error rather than the default. */
  readonly kind?: 'guard';
  /** `secret`: the value may contain a password and is never repeated in an error. */
  readonly shown?: 'secret';
}

export type EndpointName = 'languageModel' | 'embeddings' | 'reranking';

const NAMED_HELP = Object.entries(NAMED_BACKENDS).map(([name, { help }]) => `${name} (${help})`);

export const BACKENDS_HELP = `${NAMED_HELP.join(', ')} or postgres://user:password@host/database`;

/**
 * Returns why a value is not a valid backend name or database URL; undefined if it is valid. Never repeats the value,
 * which may contain a password.
 */
export function backendProblem(value: unknown): Problem {
  if (typeof value === 'string' && Object.hasOwn(NAMED_BACKENDS, value)) return undefined;
  if (typeof value !== 'string' || !isDatabaseUrl(value))
    return `must be ${Object.keys(NAMED_BACKENDS).join(', ')} or postgres://user:password@host:port/database`;
  return serverUrls(value).length > 0
    ? undefined
    : 'must name a host and a database: postgres://user:password@host:port/database; write #, / and ? in a password as %23, %2F and %3F, or put it into PGPASSWORD';
}

export function parseStore(backend: string): {
  readonly backend: StoreBackend;
  readonly databaseUrl?: string;
  readonly workers?: number;
} {
  if (isDatabaseUrl(backend)) return { backend: 'postgres', databaseUrl: backend };
  const name = backend as keyof typeof NAMED_BACKENDS;
  return { backend: name, ...NAMED_BACKENDS[name].process };
}

function isDatabaseUrl(value: string): boolean {
  return /^postgres(ql)?:\/\//i.test(value);
}
