import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/app/config/config.js';
import { FIELDS } from '../../../src/app/config/fields.js';
import type { KnowledgeStoreOptions } from '../../../src/app/config/options.js';
import { configOf, type Environment, readConfig } from '../../../src/app/config/read-config.js';
import type { Field } from '../../../src/app/config/rules.js';

const BASE_URL = 'http://127.0.0.1:8080/v1';

/** The same wish, as options and as variables. */
const PAIRS: readonly (readonly [KnowledgeStoreOptions, Environment])[] = [
  [{}, {}],
  [{ variant: 'search-only' }, { KNOWLEDGE_VARIANT: 'search-only' }],
  [{ appDir: '.memory' }, { KNOWLEDGE_APP_DIR: '.memory' }],
  [{ dataDir: '/var/data' }, { DATA_DIR: '/var/data' }],
  [{ roots: ['/a', '/b c'] }, { KNOWLEDGE_ROOTS: '/a:/b c' }],
  [{ backend: 'memory' }, { KNOWLEDGE_STORE: 'memory' }],
  [{ idleSeconds: 60 }, { KNOWLEDGE_IDLE_SECONDS: '60' }],
  [{ openProjects: 7 }, { KNOWLEDGE_OPEN_PROJECTS: '7' }],
  [{ model: 'owner/name' }, { KNOWLEDGE_MODEL: 'owner/name' }],
  [{ modelHost: 'https://hub.example' }, { KNOWLEDGE_MODEL_HOST: 'https://hub.example' }],
  [{ fetch: 'allowed' }, { KNOWLEDGE_FETCH: '1' }],
  [{ downloads: 'forbidden' }, { KNOWLEDGE_OFFLINE: '1' }],
  [{ downloads: 'allowed' }, { KNOWLEDGE_OFFLINE: '0' }],
  [
    { languageModel: { baseUrl: BASE_URL, model: 'tiny', apiKey: 'sk-1' } },
    { OPENAI_BASE_URL: BASE_URL, OPENAI_MODEL: 'tiny', OPENAI_API_KEY: 'sk-1' },
  ],
  [
    { embeddings: { baseUrl: BASE_URL, model: 'tiny', apiKey: 'sk-1' } },
    { EMBEDDING_BASE_URL: BASE_URL, EMBEDDING_MODEL: 'tiny', EMBEDDING_API_KEY: 'sk-1' },
  ],
  [
    { reranking: { baseUrl: BASE_URL, model: 'tiny', apiKey: 'sk-1' } },
    { RERANK_BASE_URL: BASE_URL, RERANK_MODEL: 'tiny', RERANK_API_KEY: 'sk-1' },
  ],
];

describe('the options of the library', () => {
  it.each(PAIRS)('%j mean what the variables %j mean', (options, env) => {
    expect(configOf({ logger: 'info', ...options })).toEqual(readConfig(env));
  });

  it('are all in the table above', () => {
    const variables = Object.values<Field>(FIELDS).filter(({ option }) => option !== undefined);
    const tried = new Set(PAIRS.flatMap(([, env]) => Object.keys(env)));
    const untried = variables.filter(({ variable }) => !tried.has(variable));
    expect(untried.map(({ option }) => option)).toEqual(['logger']);
  });

  it('log less than the process does by default', () => {
    expect(configOf({}).logLevel).toBe('warn');
    expect(configOf({ logger: 'debug' }).logLevel).toBe('debug');
  });

  it('may be empty texts, but not where that would leave something unguarded', () => {
    expect(configOf({ appDir: '', variant: '' as 'hybrid' })).toEqual(configOf({}));
    expect(() => configOf({ roots: '' as never })).toThrow(/^roots must be a list/);
  });

  it.each<unknown>([
    { languageModel: { baseUrl: 'http://user:hunter2@host/v1' } },
    { languageModel: { baseUrl: 'http://host/v1', apiKey: 'hunter2 ' } },
    { modelHost: 'ftp://user:hunter2@hub.example' },
    { backend: 'postgres://user:hunter2@host' },
  ])('are not repeated in a refusal where they may hold a secret', (options) => {
    const refused = () => configOf(options as KnowledgeStoreOptions);
    expect(refused).toThrow(ConfigError);
    expect(refused).not.toThrow(/hunter2/);
  });
});

it('refuses an option that does not exist, by an error with a name of its own', () => {
  const misspelt = { varaint: 'hybrid' } as object;
  expect(() => configOf(misspelt)).toThrow('varaint is not an option.');
  expect(() => configOf(misspelt)).toThrow(expect.objectContaining({ name: 'ConfigError' }));
});
