import { isText, wholeNumber } from '../../domain/value-rule.js';
import { backendProblem } from './backend-rule.js';
import { CONSOLES, DOWNLOADS, FETCHING, LOG_LEVELS, VARIANTS } from './config.js';
import { ENDPOINT_FIELDS } from './endpoint-fields.js';
import { httpProblem } from './endpoint-rule.js';
import type { ConfigSource, Field } from './field.js';
import { STORE_FIELDS } from './store-fields.js';
import {
  breaking,
  isFolderName,
  isListOfAbsolutePaths,
  isListOfHosts,
  isModelName,
  isOneOf,
  notOneOf,
  unless,
} from './value-rules.js';

/** The single schema of the configuration, from which the variables, the options and `--help` are derived. */
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
    problem: breaking(wholeNumber({ min: 0, max: 65_535 })),
  },
  appDir: {
    variable: 'KNOWLEDGE_APP_DIR',
    option: 'appDir',
    help: 'name of the application directory in each project',
    defaultText: 'the one found, else .knowledge',
    problem: unless(isFolderName, 'must be the name of one folder'),
  },
  roots: {
    variable: 'KNOWLEDGE_ROOTS',
    option: 'roots',
    help: 'directories whose projects may be served, separated by ":"',
    byDefault: [],
    defaultText: 'every directory',
    parse: (text) => text.split(':').filter((root) => root !== ''),
    problem: (value, source) => (isListOfAbsolutePaths(value) ? undefined : ROOTS_RULE[source]),
    kind: 'guard',
  },
  token: {
    variable: 'KNOWLEDGE_TOKEN',
    help: 'bearer token that requests must send',
    problem: () => undefined,
    kind: 'guard',
    shown: 'secret',
  },
  allowedHosts: {
    variable: 'KNOWLEDGE_ALLOWED_HOSTS',
    help: 'further names by which requests may address the service, separated by ","',
    byDefault: [],
    defaultText: 'none',
    parse: (text) =>
      text
        .split(',')
        .map((host) => host.trim())
        .filter((host) => host !== ''),
    problem: unless(isListOfHosts, 'must be names of hosts without wildcards, separated by ","'),
  },
  console: {
    variable: 'KNOWLEDGE_CONSOLE',
    help: '0 turns off the console that a browser finds at / (hybrid only)',
    byDefault: 'served',
    defaultText: '1',
    parse: (text) => (text === '1' ? 'served' : text === '0' ? 'off' : undefined),
    problem: (value, source) => (isOneOf(CONSOLES, value) ? undefined : SWITCH_RULE[source]),
  },
  dataDir: {
    variable: 'DATA_DIR',
    option: 'dataDir',
    help: 'directory for the embedding model, which is in DATA_DIR/models',
    byDefault: './data',
    problem: unless(isText, 'must be the path of a directory'),
  },
  backend: {
    variable: 'KNOWLEDGE_STORE',
    option: 'backend',
    help: 'where chunks and vectors are stored: sqlite (one file per project), memory (nothing is written) or postgres://user:password@host/database',
    byDefault: 'sqlite',
    problem: backendProblem,
    shown: 'secret',
  },
  ...STORE_FIELDS,
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
    help: '1 forbids downloads; a model that is already in DATA_DIR/models is still used',
    byDefault: 'allowed',
    defaultText: '0',
    parse: (text) => (text === '0' ? 'allowed' : text === '1' ? 'forbidden' : undefined),
    problem: (value, source) => (isOneOf(DOWNLOADS, value) ? undefined : SWITCH_RULE[source]),
    kind: 'guard',
  },
  fetch: {
    variable: 'KNOWLEDGE_FETCH',
    option: 'fetch',
    help: '1 lets POST /api/knowledge/x/urls fetch public web pages',
    byDefault: 'forbidden',
    defaultText: '0',
    parse: (text) => (text === '1' ? 'allowed' : text === '0' ? 'forbidden' : undefined),
    problem: (value, source) => (isOneOf(FETCHING, value) ? undefined : SWITCH_RULE[source]),
  },
  ...ENDPOINT_FIELDS,
  logLevel: {
    variable: 'KNOWLEDGE_LOG_LEVEL',
    option: 'logger',
    help: 'debug, info, warn, error or silent; JSON lines on standard error',
    byDefault: 'info',
    optionDefault: 'warn',
    problem: notOneOf(LOG_LEVELS),
  },
} as const satisfies Record<string, Field>;

const ROOTS_RULE: Readonly<Record<ConfigSource, string>> = {
  variable: 'must be absolute paths, separated by ":"',
  option: 'must be a list of absolute paths, or absent',
};

const SWITCH_RULE: Readonly<Record<ConfigSource, string>> = {
  variable: 'must be 1, 0 or absent',
  option: 'must be "allowed" or "forbidden"',
};
