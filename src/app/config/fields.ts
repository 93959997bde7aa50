import { WORKER_MB, WORKERS } from '../../domain/limits.js';
import {
  absolutePaths,
  counting,
  folder,
  hosts,
  oneWord,
  splitBy,
  string,
  switching,
  textWithout,
  type ValueOf,
} from '../../schemas/config.js';
import { isFolderName, textWith } from '../../schemas/fields.js';
import {
  BACKENDS_HELP,
  backendProblem,
  type EndpointConfig,
  type EndpointName,
  type Field,
  LOG_LEVELS,
  type StoreBackend,
  VARIANTS,
} from './config.js';
import { ENDPOINT_FIELDS } from './endpoints.js';
import { MEMORY_FIELDS } from './memory-fields.js';
import { MODEL_FIELDS } from './model-fields.js';

/** The single schema of the configuration, from which variables, options and `--help` are derived. */
export const FIELDS = {
  variant: {
    variable: 'KNOWLEDGE_VARIANT',
    option: 'variant',
    help: 'hybrid searches by keyword and meaning, search-only by keyword alone',
    byDefault: 'hybrid',
    schema: oneWord(VARIANTS),
  },
  host: {
    variable: 'HOST',
    help: 'address to listen on; any other than loopback needs KNOWLEDGE_TOKEN',
    byDefault: '127.0.0.1',
    parse: (text) => text.replace(/^\[(.*)\]$/, '$1'),
    schema: string(),
  },
  port: {
    variable: 'PORT',
    help: 'port to listen on; 0 picks a free one',
    ...counting(3737, 0, 65_535),
  },
  appDir: {
    variable: 'KNOWLEDGE_APP_DIR',
    option: 'appDir',
    help: 'name of the application directory in each project',
    defaultText: 'the one found, else .knowledge',
    schema: textWith(isFolderName, 'must be a single folder name'),
  },
  roots: {
    variable: 'KNOWLEDGE_ROOTS',
    option: 'roots',
    help: 'serve only projects in these directories, separated by ":"',
    byDefault: [],
    defaultText: 'every directory',
    parse: splitBy(':'),
    schema: absolutePaths(),
    variableRule: 'must be absolute paths, separated by ":"',
    kind: 'guard',
  },
  token: {
    variable: 'KNOWLEDGE_TOKEN',
    help: 'bearer token that requests must send',
    schema: string(),
    kind: 'guard',
    shown: 'secret',
  },
  allowedHosts: {
    variable: 'KNOWLEDGE_ALLOWED_HOSTS',
    help: 'further host names that requests may use, separated by ","',
    byDefault: [],
    defaultText: 'none',
    parse: splitBy(','),
    schema: hosts(),
  },
  console: {
    variable: 'KNOWLEDGE_CONSOLE',
    help: '0 turns off the web console at / (hybrid only)',
    byDefault: 'served',
    defaultText: '1',
    ...switching('served', 'off'),
  },
  dataDir: {
    variable: 'DATA_DIR',
    option: 'dataDir',
    help: 'data directory; the embedding model is in DATA_DIR/models',
    byDefault: './data',
    schema: folder(),
  },
  backend: {
    variable: 'KNOWLEDGE_STORE',
    option: 'backend',
    help: `where chunks and vectors are stored: ${BACKENDS_HELP}`,
    byDefault: 'sqlite',
    schema: textWithout(backendProblem),
    shown: 'secret',
  },
  workers: {
    variable: 'KNOWLEDGE_WORKERS',
    help: 'number of worker processes; 0 runs everything in one process',
    ...counting(WORKERS, 0, 64),
  },
  workerMb: {
    variable: 'KNOWLEDGE_WORKER_MB',
    help: 'replace a worker process that uses more than this many MB',
    ...counting(WORKER_MB, 256, 1_000_000),
  },
  service: {
    variable: 'KNOWLEDGE_SERVICE',
    help: 'off runs commands without the local service',
    byDefault: 'on',
    schema: oneWord(['on', 'off']),
  },
  serviceIdleSeconds: {
    variable: 'KNOWLEDGE_SERVICE_IDLE_S',
    help: 'idle seconds after which the local service stops',
    ...counting(600, 1, 31_536_000),
  },
  ...MODEL_FIELDS,
  fetch: {
    variable: 'KNOWLEDGE_FETCH',
    option: 'fetch',
    help: '1 lets POST /api/knowledge/x/urls fetch public web pages',
    byDefault: 'forbidden',
    defaultText: '0',
    ...switching('allowed', 'forbidden'),
  },
  ...MEMORY_FIELDS,
  ...ENDPOINT_FIELDS,
  logLevel: {
    variable: 'KNOWLEDGE_LOG_LEVEL',
    option: 'logger',
    help: 'debug, info, warn, error or silent; JSON lines on standard error, plain lines on a terminal',
    byDefault: 'info',
    optionDefault: 'warn',
    schema: oneWord(LOG_LEVELS),
  },
} as const satisfies Record<string, Field>;

type Fields = typeof FIELDS;
type Named<Part> = { readonly [Name in keyof Part]: Readonly<Part[Name]> };
type Default = { readonly byDefault: unknown };

/** The configuration, from variables or from the library's options; `docs/configuration.md` describes every entry. */
export type Config = Named<{
  [Name in keyof Fields as Fields[Name] extends Default ? Name : never]: ValueOf<
    Fields[Name]['schema']
  >;
}> &
  Named<{
    [Name in 'appDir' | 'token' | 'reranker']?: ValueOf<Fields[Name]['schema']> | undefined;
  }> &
  Named<Partial<Record<EndpointName, EndpointConfig | undefined>>> & {
    readonly backend: StoreBackend;
    readonly databaseUrl?: string | undefined;
  };

/** The environment variables, one per line; `docs/configuration.md` has the details. */
export const VARIABLES_HELP = Object.values<Field>(FIELDS).map(formatField).join('\n');

/** The default of a field in the syntax of the variable; undefined if there is none. */
export function describeDefault({ defaultText, byDefault }: Field): string | undefined {
  return defaultText ?? byDefault?.toString();
}

function formatField(field: Field): string {
  const byDefault = describeDefault(field);
  const end = byDefault === undefined ? '' : ` [default: ${byDefault}]`;
  return `  ${field.variable.padEnd(25)}${field.help}${end}`;
}
