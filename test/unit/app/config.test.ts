import { describe, expect, it } from 'vitest';
import { type Config, ConfigError } from '../../../src/app/config/config.js';
import { type Environment, readConfig } from '../../../src/app/config/read-config.js';

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
  idleSeconds: 300,
  openProjects: 100,
  workers: 2,
  workerMb: 1500,
  model: 'Xenova/all-MiniLM-L6-v2',
  downloads: 'allowed',
  fetch: 'forbidden',
  logLevel: 'info',
};

describe('a configuration', () => {
  it('has defaults', () => {
    expect(readConfig({})).toEqual(DEFAULTS);
  });

  it('takes an empty variable for an absent one where it guards nothing', () => {
    const names = ['KNOWLEDGE_VARIANT', 'HOST', 'PORT', 'KNOWLEDGE_APP_DIR', 'DATA_DIR'];
    const more = [
      'KNOWLEDGE_ALLOWED_HOSTS',
      'KNOWLEDGE_MODEL',
      'KNOWLEDGE_MODEL_HOST',
      'KNOWLEDGE_STORE',
      'KNOWLEDGE_LOG_LEVEL',
    ];
    const model = ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_MODEL'];
    const env = Object.fromEntries([...names, ...more, ...model].map((name) => [name, '']));
    expect(readConfig(env)).toEqual(DEFAULTS);
  });

  it.each<[string, string, Partial<Config>]>([
    ['KNOWLEDGE_VARIANT', 'hybrid', { variant: 'hybrid' }],
    ['KNOWLEDGE_VARIANT', 'search-only', { variant: 'search-only' }],
    ['HOST', 'localhost', { host: 'localhost' }],
    ['HOST', '127.1.2.3', { host: '127.1.2.3' }],
    ['HOST', '[::1]', { host: '::1' }],
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['KNOWLEDGE_APP_DIR', '.memory', { appDir: '.memory' }],
    ['KNOWLEDGE_APP_DIR', LONGEST, { appDir: LONGEST }],
    ['DATA_DIR', '/var/data', { dataDir: '/var/data' }],
    ['KNOWLEDGE_ROOTS', '/a:/b c', { roots: ['/a', '/b c'] }],
    ['KNOWLEDGE_ROOTS', ':/a::/b:', { roots: ['/a', '/b'] }],
    ['KNOWLEDGE_TOKEN', 's3cret', { token: 's3cret' }],
    ['KNOWLEDGE_ALLOWED_HOSTS', 'kb, [::2]:80,', { allowedHosts: ['kb', '[::2]:80'] }],
    ['KNOWLEDGE_MODEL', 'owner/name-v1.5', { model: 'owner/name-v1.5' }],
    ['KNOWLEDGE_MODEL_HOST', 'https://hub.example/hf', { modelHost: 'https://hub.example/hf' }],
    ['KNOWLEDGE_STORE', 'sqlite', { backend: 'sqlite' }],
    ['KNOWLEDGE_STORE', 'memory', { backend: 'memory', workers: 0 }],
    ['KNOWLEDGE_FETCH', '1', { fetch: 'allowed' }],
    ['KNOWLEDGE_FETCH', '0', { fetch: 'forbidden' }],
    ['KNOWLEDGE_FETCH', '', { fetch: 'forbidden' }],
    ['KNOWLEDGE_OFFLINE', '1', { downloads: 'forbidden' }],
    ['KNOWLEDGE_OFFLINE', '0', { downloads: 'allowed' }],
    ['KNOWLEDGE_LOG_LEVEL', 'silent', { logLevel: 'silent' }],
  ])('takes %s=%s', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toEqual({ ...DEFAULTS, ...expected });
  });

  it.each([
    ['KNOWLEDGE_VARIANT', 'Hybrid'],
    ['KNOWLEDGE_VARIANT', 'both'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', '000080'],
    ['PORT', ' '],
    ['KNOWLEDGE_APP_DIR', '.'],
    ['KNOWLEDGE_APP_DIR', '..'],
    ['KNOWLEDGE_APP_DIR', 'a/b'],
    ['KNOWLEDGE_APP_DIR', 'a\\b'],
    ['KNOWLEDGE_APP_DIR', 'a\0b'],
    ['KNOWLEDGE_APP_DIR', `${LONGEST}x`],
    ['KNOWLEDGE_ROOTS', ''],
    ['KNOWLEDGE_ROOTS', ':'],
    ['KNOWLEDGE_ROOTS', 'relative'],
    ['KNOWLEDGE_ROOTS', '/a:b\nc'],
    ['KNOWLEDGE_TOKEN', ''],
    ['KNOWLEDGE_TOKEN', ' \n'],
    ['KNOWLEDGE_ALLOWED_HOSTS', '*.example.org'],
    ['KNOWLEDGE_ALLOWED_HOSTS', 'http://kb'],
    ['KNOWLEDGE_ALLOWED_HOSTS', 'kb.example.org other'],
    ['KNOWLEDGE_MODEL', 'name'],
    ['KNOWLEDGE_MODEL', 'a/b/c'],
    ['KNOWLEDGE_MODEL', '../name'],
    ['KNOWLEDGE_MODEL', 'owner/..'],
    ['KNOWLEDGE_MODEL', 'owner/na me'],
    ['KNOWLEDGE_MODEL_HOST', 'hub.example'],
    ['KNOWLEDGE_MODEL_HOST', 'file:///models'],
    ['KNOWLEDGE_STORE', 'Memory'],
    ['KNOWLEDGE_STORE', 'postgres://host'],
    ['KNOWLEDGE_STORE', 'postgres:///db'],
    ['KNOWLEDGE_STORE', 'postgres'],
    ['KNOWLEDGE_OFFLINE', ''],
    ['KNOWLEDGE_OFFLINE', 'true'],
    ['KNOWLEDGE_FETCH', 'true'],
    ['KNOWLEDGE_LOG_LEVEL', 'loud\nor not'],
    ['OPENAI_BASE_URL', 'localhost/v1'],
    ['OPENAI_BASE_URL', 'ftp://host/v1'],
    ['OPENAI_BASE_URL', 'http://169.254.169.254/v1'],
    ['OPENAI_API_KEY', 'sk-1\nx'],
    ['HOST', '0.0.0.0'],
    ['HOST', 'a\nb'],
  ])('refuses %s=%j with one line that names the variable', (name, value) => {
    const message = refusal({ [name]: value });
    expect(message).toContain(name);
    expect(message).toMatch(/^.+\.$/);
  });
});

describe('a host that others can reach', () => {
  const hosts = ['0.0.0.0', '::', '[::]', '192.168.0.1', '127.0.0.1.example.org', 'evil-127.0.0.1'];

  it.each(hosts)('needs a token: %s', (host) => {
    expect(refusal({ HOST: host })).toMatch(/^KNOWLEDGE_TOKEN must be set/);
  });

  it.each(hosts)('is taken with one: %s', (host) => {
    const config = readConfig({ HOST: host, KNOWLEDGE_TOKEN: 's3cret' });
    expect(config.host).toBe(host.replace('[::]', '::'));
  });

  it('is not taken with an empty one', () => {
    expect(refusal({ HOST: '0.0.0.0', KNOWLEDGE_TOKEN: '' })).toContain('KNOWLEDGE_TOKEN is empty');
  });
});

describe.each([
  ['languageModel', 'OPENAI'],
  ['embeddings', 'EMBEDDING'],
  ['reranking', 'RERANK'],
] as const)('the endpoint %s', (name, prefix) => {
  const baseUrl = 'http://127.0.0.1:8080/v1';
  const env = { [`${prefix}_BASE_URL`]: baseUrl, [`${prefix}_MODEL`]: 'tiny' };

  it('is there from the moment that its URL and its model are', () => {
    expect(readConfig(env)[name]).toEqual({ baseUrl, model: 'tiny' });
    const withKey = { ...env, [`${prefix}_API_KEY`]: 'sk-1' };
    expect(readConfig(withKey)[name]).toEqual({ baseUrl, model: 'tiny', apiKey: 'sk-1' });
  });

  it('is not there with a key or a model alone', () => {
    const alone = { [`${prefix}_API_KEY`]: 'sk-1', [`${prefix}_MODEL`]: 'tiny' };
    expect(readConfig(alone)).toEqual(DEFAULTS);
  });

  it('stops the start without its model, in one line that names the variable', () => {
    expect(refusal({ [`${prefix}_BASE_URL`]: baseUrl })).toBe(
      `${prefix}_MODEL must be set to the name of a model, because ${prefix}_BASE_URL is set.`,
    );
  });
});

it('takes the name of the embedding model from its endpoint', () => {
  const env = { EMBEDDING_BASE_URL: 'http://127.0.0.1:1/v1', EMBEDDING_MODEL: 'small-3' };
  expect(readConfig(env).model).toBe('small-3');
});

describe('PostgreSQL', () => {
  it.each(['postgres://user:hunter2@host:5432/db', 'postgresql://host/db'])(
    'is named by the URL of a database, %s',
    (url) => {
      const { backend, databaseUrl } = readConfig({ KNOWLEDGE_STORE: url });
      expect({ backend, databaseUrl }).toEqual({ backend: 'postgres', databaseUrl: url });
    },
  );
});

describe('a refusal', () => {
  it.each<Environment>([
    { OPENAI_BASE_URL: 'ftp://user:hunter2@host/v1' },
    { OPENAI_BASE_URL: 'user:hunter2@host/v1' },
    { KNOWLEDGE_MODEL_HOST: 'ftp://user:hunter2@hub.example' },
    { KNOWLEDGE_TOKEN: 'hunter2', OPENAI_API_KEY: 'hunter2', PORT: 'x' },
    { OPENAI_API_KEY: 'hunter2 \n' },
    { KNOWLEDGE_STORE: 'postgres://user:hunter2@host' },
    { KNOWLEDGE_STORE: 'user:hunter2@host' },
    { OPENAI_API_KEY: 'hunter2', OPENAI_BASE_URL: 'x', HOST: '0.0.0.0' },
  ])('repeats no secret', (env) => {
    expect(refusal(env)).not.toContain('hunter2');
  });
});

function refusal(env: Environment): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('It was not refused.');
}
