/** The two products that this service can be (specification, "Service"). */
export const VARIANTS = ['hybrid', 'search-only'] as const;
export type Variant = (typeof VARIANTS)[number];

/** An OpenAI-compatible endpoint of a small language model. */
export interface LanguageModelConfig {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
}

/** How the process was asked to run; `docs/configuration.md` describes every variable. */
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
  readonly token?: string;
  /** Embedding model on the hub, `owner/name`. */
  readonly model: string;
  /** Base URL of a hub or mirror; absent: the adapter's own. */
  readonly modelHost?: string;
  readonly downloads: 'allowed' | 'forbidden';
  /** Absent: HyPE waits, compaction and learnings answer `model_unavailable`. */
  readonly languageModel?: LanguageModelConfig;
  readonly logLevel: string;
}

/** A variable with a value that cannot be used; the message is one line that names it. */
export class ConfigError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from environment variables; an empty one counts as absent, unless it guards something.
 * @throws ConfigError
 */
export function readConfig(env: Environment): Config {
  const token = nonEmpty(env, 'KNOWLEDGE_TOKEN');
  const languageModel = readLanguageModel(env);
  const modelHost = readUrl(env, 'KNOWLEDGE_MODEL_HOST');
  return {
    variant: oneOf(env, 'KNOWLEDGE_VARIANT', VARIANTS),
    host: readHost(env, token),
    port: readPort(env),
    appDir: readAppDir(env),
    dataDir: env['DATA_DIR'] || './data',
    roots: readRoots(env),
    ...(token !== undefined && { token }),
    model: readModel(env),
    ...(modelHost !== undefined && { modelHost }),
    downloads: readOffline(env) ? 'forbidden' : 'allowed',
    ...(languageModel !== undefined && { languageModel }),
    logLevel: oneOf(env, 'KNOWLEDGE_LOG_LEVEL', LOG_LEVELS),
  };
}

/** The first is the default. */
const LOG_LEVELS = ['info', 'debug', 'warn', 'error', 'silent'] as const;

function oneOf<T extends string>(env: Environment, name: string, values: readonly [T, ...T[]]): T {
  const value = env[name] || values[0];
  const found = values.find((candidate) => candidate === value);
  return found ?? fail(name, `must be ${values.join(' or ')}`, value);
}

function readHost(env: Environment, token: string | undefined): string {
  const host = (env['HOST'] || '127.0.0.1').replace(/^\[(.*)\]$/, '$1');
  if (token === undefined && !isLoopback(host)) {
    throw new ConfigError(
      `KNOWLEDGE_TOKEN must be set before the service may listen on HOST=${JSON.stringify(host)}, which others can reach.`,
    );
  }
  return host;
}

function isLoopback(host: string): boolean {
  return /^(localhost|::1|127(\.\d{1,3}){3})$/i.test(host);
}

function readPort(env: Environment): number {
  const text = env['PORT'] || '3737';
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= 65_535 ? port : fail('PORT', 'must be a whole number from 0 to 65535', text);
}

function readAppDir(env: Environment): string {
  const name = env['KNOWLEDGE_APP_DIR'] || '.knowledge';
  const isFolderName = !/[/\\\0]/.test(name) && name !== '.' && name !== '..' && name.length <= 255;
  return isFolderName ? name : fail('KNOWLEDGE_APP_DIR', 'must be the name of one folder', name);
}

function readRoots(env: Environment): readonly string[] {
  const roots = nonEmpty(env, 'KNOWLEDGE_ROOTS')
    ?.split(':')
    .filter((root) => root !== '');
  const wrong = roots?.find((root) => !root.startsWith('/'));
  if (wrong !== undefined || roots?.length === 0) {
    fail('KNOWLEDGE_ROOTS', 'must be absolute paths with ":" between them', wrong ?? ':');
  }
  return roots ?? [];
}

function readModel(env: Environment): string {
  const model = env['KNOWLEDGE_MODEL'] || 'Xenova/all-MiniLM-L6-v2';
  const parts = model.split('/');
  const isName = parts.length === 2 && parts.every((part) => /^[\w-][\w.-]*$/.test(part));
  return isName ? model : fail('KNOWLEDGE_MODEL', 'must be owner/name as on the hub', model);
}

function readOffline(env: Environment): boolean {
  const value = nonEmpty(env, 'KNOWLEDGE_OFFLINE');
  if (value === undefined || value === '0') return false;
  return value === '1' || fail('KNOWLEDGE_OFFLINE', 'must be 1, 0 or absent', value);
}

function readLanguageModel(env: Environment): LanguageModelConfig | undefined {
  const baseUrl = readUrl(env, 'OPENAI_BASE_URL');
  if (baseUrl === undefined) return undefined;
  const apiKey = env['OPENAI_API_KEY'] || undefined;
  return {
    baseUrl,
    model: env['OPENAI_MODEL'] || 'gpt-4o-mini',
    ...(apiKey !== undefined && { apiKey }),
  };
}

/** The value is not repeated in the error, since it may hold a password. */
function readUrl(env: Environment, name: string): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  const isHttp = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isHttp) throw new ConfigError(`${name} must be an http or https URL.`);
  return text;
}

/** Of a variable that guards something: an empty one is a mistake and not a wish. */
function nonEmpty(env: Environment, name: string): string | undefined {
  const value = env[name];
  if (value !== undefined && value.trim() === '') {
    throw new ConfigError(`${name} is empty; give it a value or do not set it.`);
  }
  return value;
}

function fail(name: string, rule: string, value: string): never {
  throw new ConfigError(`${name} ${rule}; it is ${JSON.stringify(value)}.`);
}
