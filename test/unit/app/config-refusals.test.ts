import { describe, expect, it } from 'vitest';
import { ConfigError, NAMED_BACKENDS } from '../../../src/app/config/config.js';
import { endpointProblem } from '../../../src/app/config/endpoints.js';
import { VARIABLES_HELP } from '../../../src/app/config/fields.js';
import type { KnowledgeStoreOptions } from '../../../src/app/config/options.js';
import { configFrom, type Environment, readConfig } from '../../../src/app/config/read-config.js';
import { toNumber } from '../../../src/schemas/config.js';
import { wholeNumber } from '../../../src/schemas/fields.js';

const ANY_STORE = `must be ${Object.keys(NAMED_BACKENDS).join(', ')} or postgres://user:password@host`;

describe('a variable', () => {
  it.each<[string, readonly string[]]>([
    ['KNOWLEDGE_VARIANT', ['Hybrid', 'both']],
    ['PORT', ['65536', '-1', '80.5', '0x50', '000080', ' ', 'x80', '80x']],
    ['KNOWLEDGE_APP_DIR', ['.', '..', 'a/b', 'a\\b', 'a\0b', 'x'.repeat(256)]],
    ['KNOWLEDGE_ROOTS', ['', ':', 'relative', '/a:b\nc']],
    ['KNOWLEDGE_TOKEN', ['', ' \n']],
    [
      'DATA_DIR',
      [
        '$HOME',
        '$HOME/models',
        '$'.concat('{HOME}/models'),
        '/a/$USER/b',
        '%APPDATA%\\models',
        '~ada/models',
      ],
    ],
    ['CLAUDE_CONFIG_DIR', ['$HOME/.claude', '$'.concat('{XDG_CONFIG_HOME}/claude')]],
    ['CODEX_HOME', ['$HOME/.codex']],
    ['KNOWLEDGE_ALLOWED_HOSTS', ['*.example.org', 'http://kb', 'kb.example.org other']],
    ['KNOWLEDGE_MODEL', ['name', 'a/b/c', '../name', 'owner/..', 'owner/na me', '.hidden/x']],
    ['KNOWLEDGE_MODEL', ['/etc/passwd', 'owner/name\n']],
    ['KNOWLEDGE_MODEL_HOST', ['hub.example', 'file:///models', 'https://me:hunter2@hub.example']],
    [
      'KNOWLEDGE_STORE',
      [
        'Memory',
        'postgres://host',
        'postgres:///db',
        'postgres',
        'postgres://a,/db',
        'postgres://a:1,b:x/db',
      ],
    ],
    ['KNOWLEDGE_OFFLINE', ['', 'true']],
    ['KNOWLEDGE_FETCH', ['true']],
    ['KNOWLEDGE_LOG_LEVEL', ['loud\nor not']],
    ['OPENAI_BASE_URL', ['localhost/v1', 'ftp://host/v1', 'http://169.254.169.254/v1']],
    ['OPENAI_API_KEY', ['sk-1\nx']],
    ['HOST', ['0.0.0.0', 'a\nb']],
  ])('%s is refused by its name, in one line, with any of %j', (name, values) => {
    for (const value of values) {
      const message = refusal({ [name]: value });
      expect(message).toContain(name);
      expect(message).toMatch(/^.+\.$/);
    }
  });

  it.each([
    ['KNOWLEDGE_VARIANT', 'both', 'must be hybrid or search-only; it is "both".'],
    ['KNOWLEDGE_STORE', 'redis', ANY_STORE],
    ['KNOWLEDGE_STORE', 'xpostgres://host/db', ANY_STORE],
    ['KNOWLEDGE_STORE', 'postgres://host/', 'must name a host and a database'],
    ['KNOWLEDGE_STORE', 'postgres://[host/db', 'must name a host and a database'],
    [
      'KNOWLEDGE_STORE',
      'postgres://me:a#b@host/db',
      'must name a host and a database: postgres://user:password@host:port/database; write #, / and ? in a password as %23, %2F and %3F, or put it into PGPASSWORD.',
    ],
    ['KNOWLEDGE_MODEL_HOST', 'xhttp://a', 'must be an http or https URL'],
    ['KNOWLEDGE_MODEL_HOST', 'httpsx://a', 'must be an http or https URL'],
  ])('%s=%s is refused: %s', (name, value, sentence) => {
    expect(refusal({ [name]: value })).toContain(`${name} ${sentence}`);
  });

  it.each<Environment>([
    { OPENAI_BASE_URL: 'ftp://user:hunter2@host/v1' },
    { OPENAI_BASE_URL: 'user:hunter2@host/v1' },
    { KNOWLEDGE_MODEL_HOST: 'ftp://user:hunter2@hub.example' },
    { KNOWLEDGE_MODEL_HOST: 'https://user:hunter2@hub.example' },
    { KNOWLEDGE_TOKEN: 'hunter2', OPENAI_API_KEY: 'hunter2', PORT: 'x' },
    { OPENAI_API_KEY: 'hunter2 \n' },
    { KNOWLEDGE_STORE: 'postgres://user:hunter2@host' },
    { KNOWLEDGE_STORE: 'user:hunter2@host' },
    { OPENAI_API_KEY: 'hunter2', OPENAI_BASE_URL: 'x', HOST: '0.0.0.0' },
  ])('that may hold a secret is not repeated: %j', (env) => {
    expect(refusal(env)).not.toContain('hunter2');
  });
});

it.each(Object.entries(NAMED_BACKENDS))(
  'the backend %s is in the help, and its requirements are in the configuration',
  (name, { help, process }) => {
    expect(VARIABLES_HELP).toContain(`${name} (${help})`);
    const config = readConfig({ KNOWLEDGE_STORE: name });
    expect(config).toMatchObject({ backend: name, ...process });
    expect(config).not.toHaveProperty('help');
  },
);

describe('an option', () => {
  it.each<readonly [unknown, string]>([
    [null, 'options must be an object.'],
    ['text', 'options must be an object.'],
    [{ varaint: 'hybrid' }, 'varaint is not an option.'],
    [{ languageModel: 'http://a' }, 'languageModel must be an object.'],
    [{ reranking: 7 }, 'reranking must be an object.'],
    [
      { embeddings: { baseUrl: 'http://a/v1' } },
      'embeddings.model must be set to the name of a model, because embeddings.baseUrl is set.',
    ],
    [{ languageModel: { model: 'a' } }, 'languageModel.baseUrl must be an http or https URL.'],
    [{ backends: 5 }, 'backends must be an object.'],
    [{ backend: 5 }, `backend ${ANY_STORE}`],
    [{ modelHost: 5 }, 'modelHost must be an http or https URL.'],
    [{ logger: 'loud' }, 'logger must be'],
    [{ languageModel: { baseUrl: 'http://user:hunter2@host/v1' } }, 'languageModel.baseUrl must'],
    [{ languageModel: { baseUrl: 'http://host/v1', apiKey: 'hunter2 ' } }, 'apiKey must'],
    [{ modelHost: 'ftp://user:hunter2@hub.example' }, 'modelHost must'],
    [{ backend: 'postgres://user:hunter2@host' }, 'backend must'],
  ])('%j is refused, without a secret: %s', (options, sentence) => {
    const message = messageOf(() => configFrom(options as KnowledgeStoreOptions));
    expect(message).toContain(sentence);
    expect(message).not.toContain('hunter2');
  });
});

describe('the URL of an endpoint', () => {
  it.each([
    'http://127.0.0.1:11434/v1',
    'http://localhost:1234/v1/',
    'https://api.openai.com/v1',
    'http://[::1]:8080/v1',
    'http://192.168.1.20/v1',
    'https://metadata.example.com/v1',
    'https://169.254.example.com/v1',
  ])('may be %s', (url) => {
    expect(endpointProblem(url)).toBeUndefined();
  });

  it.each([
    ['no URL', 'localhost'],
    ['nothing', ''],
    ['another scheme', 'localhost:11434/v1'],
    ['a file', 'file:///etc/passwd'],
    ['a user name', 'http://canary@host/v1'],
    ['a password', 'http://:canary@host/v1'],
    ['a query', 'http://host/v1?key=canary'],
    ['a fragment', 'http://host/v1#canary'],
    ['link-local', 'http://169.254.169.254/latest'],
    ['link-local as one number', 'http://2852039166/'],
    ['link-local in hexadecimal', 'http://0xa9fea9fe/'],
    ['link-local in octal', 'http://0251.0376.0251.0376/'],
    ['link-local with a dot at its end', 'http://169.254.169.254./'],
    ['link-local of IPv6', 'http://[fe80::1]/'],
    ['the end of link-local of IPv6', 'http://[febf::1]/'],
    ['link-local inside IPv6', 'http://[::ffff:169.254.169.254]/'],
    ['link-local behind NAT64', 'http://[64:ff9b::169.254.169.254]/'],
  ])('may not be %s, which is not repeated', (_, url) => {
    expect(endpointProblem(url)).toMatch(/^must .+[^.]$/);
    expect(endpointProblem(url)).not.toContain('canary');
  });
});

it('a whole number is one in its range, both ends included', () => {
  const schema = wholeNumber({ min: 2, max: 4 });
  const values = [1, 2, 3, 4, 5, 2.5, '3', Number.NaN];
  expect(values.filter((value) => schema.safeParse(value).success)).toEqual([2, 3, 4]);
});

it('a text is a number if it has one to nine digits alone', () => {
  expect(['0', '123456789'].map(toNumber)).toEqual([0, 123_456_789]);
  const others = ['1234567890', '1e3', ' 1', '-1', ''];
  expect(others.map(toNumber)).toEqual(others.map(() => Number.NaN));
});

function refusal(env: Environment): string {
  return messageOf(() => readConfig(env));
}

function messageOf(refused: () => unknown): string {
  try {
    refused();
  } catch (error) {
    if (error instanceof ConfigError && error.name === 'ConfigError') return error.message;
    throw error;
  }
  throw new Error('It was not refused.');
}
