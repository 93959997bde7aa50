import {
  DOWNLOADS,
  type LanguageModelConfig,
  LOG_LEVELS,
  STORE_BACKENDS,
  VARIANTS,
} from './config.js';
import { endpointProblem, httpProblem } from './endpoint-rule.js';
import type { KnowledgeStoreOptions } from './options.js';
import {
  isFolderName,
  isKey,
  isListOfAbsolutePaths,
  isModelName,
  isOneOf,
  isText,
  notOneOf,
  type Problem,
  unless,
} from './value-rules.js';

/** Where a value comes from: an environment variable of the process, or an option of the library. */
export type Door = 'variable' | 'option';

/** One thing that can be configured. */
export interface Field {
  readonly variable: string;
  /** Absent: concerns the process only. */
  readonly option?: OptionPath;
  /** For `--help`, without the default. */
  readonly help: string;
  /** Absent: none. */
  readonly byDefault?: string | number | readonly string[];
  /** Where the library has another default than the process. */
  readonly optionDefault?: string;
  /** The default as one writes it in the variable, where that is not `byDefault`. */
  readonly defaultText?: string;
  /** Makes the value out of the text of a variable; absent: the text is the value. */
  readonly parse?: (text: string) => unknown;
  readonly problem: (value: unknown, door: Door) => Problem;
  /** `guard`: an empty variable is a mistake, since it would leave something unguarded. */
  readonly kind?: 'guard' | 'plain';
  /** `secret`: the value may hold a password and is never repeated in an error. */
  readonly shown?: 'secret' | 'plain';
}

/** The paths of the options that are configuration, as an error names them. */
export type OptionPath =
  | Exclude<keyof KnowledgeStoreOptions, 'languageModel' | 'backends'>
  | `languageModel.${keyof LanguageModelConfig}`;

/** The one schema of the configuration: the variables, the options and `--help` all come from it. */
export const FIELDS = {
  variant: {
    variable: 'KNOWLEDGE_VARIANT',
    option: 'variant',
    help: 'hybrid searches by keyword and meaning, search-only by keyword alone',
    byDefault: 'hybrid',
    problem: notOneOf(VARIANTS),
  },
  host: {
    variable: 'HOST',
    help: 'address to listen on; one that others can reach needs KNOWLEDGE_TOKEN',
    byDefault: '127.0.0.1',
    parse: (text) => text.replace(/^\[(.*)\]$/, '$1'),
    problem: () => undefined,
  },
  port: {
    variable: 'PORT',
    help: 'port to listen on; 0 picks a free one',
    byDefault: 3737,
    parse: (text) => (/^\d{1,5}$/.test(text) ? Number(text) : Number.NaN),
    problem: unless((port) => Number(port) <= 65_535, 'must be a whole number from 0 to 65535'),
  },
  appDir: {
    variable: 'KNOWLEDGE_APP_DIR',
    option: 'appDir',
    help: 'name of the application directory in each project',
    byDefault: '.knowledge',
    problem: unless(isFolderName, 'must be the name of one folder'),
  },
  roots: {
    variable: 'KNOWLEDGE_ROOTS',
    option: 'roots',
    help: 'directories whose projects may be served, with ":" between them',
    byDefault: [],
    defaultText: 'every directory',
    parse: (text) => text.split(':').filter((root) => root !== ''),
    problem: (value, door) => (isListOfAbsolutePaths(value) ? undefined : ROOTS_RULE[door]),
    kind: 'guard',
  },
  token: {
    variable: 'KNOWLEDGE_TOKEN',
    help: 'bearer token that requests must bring',
    problem: () => undefined,
    kind: 'guard',
    shown: 'secret',
  },
  dataDir: {
    variable: 'DATA_DIR',
    option: 'dataDir',
    help: 'holds the embedding model, in DATA_DIR/models',
    byDefault: './data',
    problem: unless(isText, 'must be the path of a directory'),
  },
  backend: {
    variable: 'KNOWLEDGE_STORE',
    option: 'backend',
    help: 'keeps chunks and vectors: sqlite, one file per project, or memory, which writes nothing',
    byDefault: 'sqlite',
    problem: (value) =>
      /^postgres(ql)?:/i.test(String(value))
        ? `must be ${STORE_BACKENDS.join(' or ')}; postgres:// is not supported yet`
        : notOneOf(STORE_BACKENDS)(value),
    shown: 'secret',
  },
  model: {
    variable: 'KNOWLEDGE_MODEL',
    option: 'model',
    help: 'embedding model, owner/name as on the hub',
    byDefault: 'Xenova/all-MiniLM-L6-v2',
    problem: unless(isModelName, 'must be owner/name as on the hub'),
  },
  modelHost: {
    variable: 'KNOWLEDGE_MODEL_HOST',
    option: 'modelHost',
    help: 'hub or mirror that the model is downloaded from',
    defaultText: 'https://huggingface.co',
    problem: httpProblem,
    shown: 'secret',
  },
  downloads: {
    variable: 'KNOWLEDGE_OFFLINE',
    option: 'downloads',
    help: '1 forbids the download; a model that is in DATA_DIR/models is still used',
    byDefault: 'allowed',
    defaultText: '0',
    parse: (text) => (text === '0' ? 'allowed' : text === '1' ? 'forbidden' : undefined),
    problem: (value, door) => (isOneOf(DOWNLOADS, value) ? undefined : DOWNLOADS_RULE[door]),
    kind: 'guard',
  },
  languageModelUrl: {
    variable: 'OPENAI_BASE_URL',
    option: 'languageModel.baseUrl',
    help: 'endpoint of a small language model, for questions, compaction and lessons',
    problem: endpointProblem,
    shown: 'secret',
  },
  languageModelKey: {
    variable: 'OPENAI_API_KEY',
    option: 'languageModel.apiKey',
    help: 'its key; a local endpoint usually needs none',
    problem: unless(isKey, 'must be printable ASCII without spaces'),
    shown: 'secret',
  },
  languageModelName: {
    variable: 'OPENAI_MODEL',
    option: 'languageModel.model',
    help: 'name of the model at that endpoint',
    byDefault: 'gpt-4o-mini',
    problem: unless(isText, 'must be the name of a model'),
  },
  logLevel: {
    variable: 'KNOWLEDGE_LOG_LEVEL',
    option: 'logger',
    help: 'debug, info, warn, error or silent; JSON lines on standard error',
    byDefault: 'info',
    optionDefault: 'warn',
    problem: notOneOf(LOG_LEVELS),
  },
} as const satisfies Record<string, Field>;

const ROOTS_RULE: Readonly<Record<Door, string>> = {
  variable: 'must be absolute paths with ":" between them',
  option: 'must be a list of absolute paths, or absent',
};

const DOWNLOADS_RULE: Readonly<Record<Door, string>> = {
  variable: 'must be 1, 0 or absent',
  option: 'must be "allowed" or "forbidden"',
};
