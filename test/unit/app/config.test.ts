import { describe, expect, it } from 'vitest';
import { type Field, hasConsole, hasExtensions } from '../../../src/app/config/config.js';
import type { Config } from '../../../src/app/config/fields.js';
import { FIELDS, VARIABLES_HELP } from '../../../src/app/config/fields.js';
import type { KnowledgeStoreOptions } from '../../../src/app/config/options.js';
import { configFrom, type Environment, readConfig } from '../../../src/app/config/read-config.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';

const LONGEST = 'x'.repeat(255);
const DEFAULTS: Config = {
  variant: 'hybrid',
  host: '127.0.0.1',
  port: 3737,
  appDir: undefined,
  dataDir: './data',
  roots: [],
  allowedHosts: [],
  console: 'served',
  backend: 'sqlite',
  workers: 2,
  workerMb: 1500,
  secrets: 'warn',
  userNotes: 'on',
  service: 'on',
  serviceIdleSeconds: 600,
  model: 'Xenova/all-MiniLM-L6-v2',
  runtime: 'wasm',
  modelHost: 'https://huggingface.co',
  downloads: 'allowed',
  fetch: 'forbidden',
  claudeDir: '~/.claude',
  codexHome: '~/.codex',
  logLevel: 'info',
};

/** The same wish, as options and as variables. */
const PAIRS: readonly (readonly [KnowledgeStoreOptions, Environment])[] = [
  [{ variant: 'search-only' }, { KNOWLEDGE_VARIANT: 'search-only' }],
  [{ appDir: '.memory' }, { KNOWLEDGE_APP_DIR: '.memory' }],
  [{ appDir: LONGEST }, { KNOWLEDGE_APP_DIR: LONGEST }],
  [{ dataDir: '/var/data' }, { DATA_DIR: '/var/data' }],
  [{ roots: ['/a', '/b c'] }, { KNOWLEDGE_ROOTS: ':/a::/b c:' }],
  [{ backend: 'sqlite' }, { KNOWLEDGE_STORE: 'sqlite' }],
  [{ model: 'owner/name-v1.5' }, { KNOWLEDGE_MODEL: 'owner/name-v1.5' }],
  [{ reranker: 'owner/name' }, { KNOWLEDGE_RERANKER: 'owner/name' }],
  [{ runtime: 'auto' }, { KNOWLEDGE_RUNTIME: 'auto' }],
  [{ modelHost: 'https://hub.example/hf' }, { KNOWLEDGE_MODEL_HOST: 'https://hub.example/hf' }],
  [{ fetch: 'allowed' }, { KNOWLEDGE_FETCH: '1' }],
  [{ fetch: 'forbidden' }, { KNOWLEDGE_FETCH: '0' }],
  [{ downloads: 'forbidden' }, { KNOWLEDGE_OFFLINE: '1' }],
  [{ downloads: 'allowed' }, { KNOWLEDGE_OFFLINE: '0' }],
];

/** What only the process has, or what means more than its name says. */
const VARIABLES: readonly (readonly [string, string, Partial<Config>])[] = [
  ['HOST', 'localhost', { host: 'localhost' }],
  ['HOST', '127.1.2.3', { host: '127.1.2.3' }],
  ['HOST', '[::1]', { host: '::1' }],
  ['PORT', '0', { port: 0 }],
  ['PORT', '65535', { port: 65_535 }],
  ['KNOWLEDGE_TOKEN', 's3cret', { token: 's3cret' }],
  ['KNOWLEDGE_ALLOWED_HOSTS', 'kb, [::2]:80,', { allowedHosts: ['kb', '[::2]:80'] }],
  ['KNOWLEDGE_STORE', 'memory', { backend: 'memory', workers: 0, service: 'off' }],
  ['KNOWLEDGE_FETCH', '', {}],
  ['KNOWLEDGE_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
];

describe('a configuration', () => {
  it('has defaults, even if variables that guard nothing are empty', () => {
    expect(readConfig({})).toEqual(DEFAULTS);
    const names = ['VARIANT', 'APP_DIR', 'ALLOWED_HOSTS', 'MODEL', 'MODEL_HOST', 'STORE'];
    const own = [...names, 'LOG_LEVEL'].map((name) => `KNOWLEDGE_${name}`);
    const others = ['HOST', 'PORT', 'DATA_DIR', 'OPENAI_BASE_URL', 'OPENAI_API_KEY'];
    const all = [...own, ...others, 'OPENAI_MODEL'].map((name) => [name, '']);
    expect(readConfig(Object.fromEntries(all))).toEqual(DEFAULTS);
  });

  it.each(PAIRS)('is the same by the options %j and the variables %j', (options, env) => {
    expect(readConfig(env)).toEqual({ ...DEFAULTS, ...options });
    expect(configFrom({ logger: 'info', ...options })).toEqual(readConfig(env));
  });

  it.each(VARIABLES)('takes %s=%s', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toEqual({ ...DEFAULTS, ...expected });
  });

  it.each([
    'postgres://user:hunter2@host:5432/db',
    'postgresql://host/db',
    'postgres://a:5501,b:5502/db',
  ])('names PostgreSQL by the URL of a database, %s', (databaseUrl) => {
    const config = { ...DEFAULTS, backend: 'postgres', databaseUrl };
    expect(readConfig({ KNOWLEDGE_STORE: databaseUrl })).toEqual(config);
  });

  it.each([
    [{}, true, true],
    [{ KNOWLEDGE_CONSOLE: '0' }, true, false],
    [{ KNOWLEDGE_VARIANT: 'search-only' }, false, false],
  ])('serves with %j extensions: %s, a console: %s', (env, extensions, console) => {
    const config = readConfig(env);
    expect([hasExtensions(config), hasConsole(config)]).toEqual([extensions, console]);
  });

  it('of the library logs less than the process does by default', () => {
    const log = () => {};
    const logger = { debug: log, info: log, warn: log, error: log };
    const levels = [{}, { logger: 'debug' as const }, { logger }].map(configFrom);
    expect(levels.map(({ logLevel }) => logLevel)).toEqual(['warn', 'debug', 'warn']);
  });

  it('treats empty options as absent if they guard nothing', () => {
    expect(configFrom({ appDir: '', variant: '' as 'hybrid' })).toEqual(configFrom({}));
    expect(() => configFrom({ roots: '' as never })).toThrow(/^roots must be a list/);
  });

  it('has the model of a custom embedder', () => {
    const embedder = new FakeEmbedder({ model: 'a/model' });
    expect(configFrom({ model: 'a/model', backends: { embedder } }).model).toBe('a/model');
    expect(() => configFrom({ backends: { embedder } })).not.toThrow();
    expect(() => configFrom({ model: 'b/model', backends: {} })).not.toThrow();
    expect(() => configFrom({ model: 'b/model', backends: { embedder } })).toThrow(
      'model must be absent or equal to that of backends.embedder.',
    );
  });
});

describe('a host that others can reach', () => {
  it.each(['0.0.0.0', '::', '[::]', '192.168.0.1', '127.0.0.1.example.org', 'evil-127.0.0.1'])(
    'needs a token: %s',
    (HOST) => {
      expect(() => readConfig({ HOST })).toThrow(/^KNOWLEDGE_TOKEN must be set/);
      const empty = { HOST, KNOWLEDGE_TOKEN: '' };
      expect(() => readConfig(empty)).toThrow(/KNOWLEDGE_TOKEN is empty/);
      const { host } = readConfig({ HOST, KNOWLEDGE_TOKEN: 's3cret' });
      expect(host).toBe(HOST.replace('[::]', '::'));
    },
  );
});

describe('the reranker', () => {
  it('is local or at an endpoint, but not both', () => {
    const local = { KNOWLEDGE_RERANKER: 'Xenova/ms-marco-MiniLM-L-6-v2' };
    expect(readConfig(local)).toMatchObject({ reranker: local.KNOWLEDGE_RERANKER });
    expect(() => readConfig({ KNOWLEDGE_RERANKER: '../evil' })).toThrow('KNOWLEDGE_RERANKER');
    const both = { ...local, RERANK_BASE_URL: 'http://127.0.0.1:8080', RERANK_MODEL: 'tiny' };
    expect(() => readConfig(both)).toThrow(
      'KNOWLEDGE_RERANKER and RERANK_BASE_URL must not both be set, because only one of them can rerank.',
    );
  });
});

describe.each([
  ['languageModel', 'OPENAI'],
  ['embeddings', 'EMBEDDING'],
  ['reranking', 'RERANK'],
] as const)('the endpoint %s', (name, prefix) => {
  const endpoint = { baseUrl: 'http://127.0.0.1:8080/v1', model: 'tiny' };
  const env = { [`${prefix}_BASE_URL`]: endpoint.baseUrl, [`${prefix}_MODEL`]: 'tiny' };

  it('is there from the moment that its URL and its model are', () => {
    expect(readConfig(env)[name]).toEqual(endpoint);
    const [apiKey, withKey] = ['sk-1', { ...env, [`${prefix}_API_KEY`]: 'sk-1' }];
    expect(readConfig(withKey)[name]).toEqual({ ...endpoint, apiKey });
    const options = { logger: 'info', [name]: { ...endpoint, apiKey } } as const;
    expect(configFrom(options)).toEqual(readConfig(withKey));
    expect(readConfig(withKey).model).toBe(name === 'embeddings' ? 'tiny' : DEFAULTS.model);
  });

  it('is not there with a key or a model alone', () => {
    const alone = { [`${prefix}_API_KEY`]: 'sk-1', [`${prefix}_MODEL`]: 'tiny' };
    expect(readConfig(alone)).toEqual(DEFAULTS);
  });

  it('stops the start without its model, in one line that names the variable', () => {
    expect(() => readConfig({ [`${prefix}_BASE_URL`]: endpoint.baseUrl })).toThrow(
      `${prefix}_MODEL must be set to the name of a model, because ${prefix}_BASE_URL is set.`,
    );
  });
});

it('the options of the library are all tried above', () => {
  const tried = new Set(PAIRS.flatMap(([options]) => Object.keys(options)));
  const options = Object.values<Field>(FIELDS).flatMap(({ option }) => option ?? []);
  const untried = options.filter((option) => !tried.has(option) && !option.includes('.'));
  expect(untried).toEqual(['logger']);
});

it('the list of variables has a line for each variable, with its default', () => {
  const lines = VARIABLES_HELP.split('\n');
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}PORT {21}\S.*\[default: 3737\]$/));
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}KNOWLEDGE_TOKEN {10}\S.*/));
  expect(lines.every((line) => /^ {2}[A-Z_]+ /.test(line))).toBe(true);
});
