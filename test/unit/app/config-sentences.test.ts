import { describe, expect, it } from 'vitest';
import { VARIABLES_HELP } from '../../../src/app/config/fields.js';
import type { KnowledgeStoreOptions } from '../../../src/app/config/options.js';
import { configOf, readConfig } from '../../../src/app/config/read-config.js';
import { toNumber } from '../../../src/app/config/rules.js';
import { wholeNumber } from '../../../src/domain/value-rule.js';
import { FakeEmbedder } from '../../fakes/fake-embedder.js';

describe('a refused variable', () => {
  it.each([
    ['KNOWLEDGE_VARIANT', 'both', 'must be hybrid or search-only; it is "both".'],
    ['KNOWLEDGE_STORE', 'redis', 'must be sqlite, memory or postgres://user:password@host'],
    ['KNOWLEDGE_STORE', 'xpostgres://host/db', 'must be sqlite, memory or postgres://'],
    ['KNOWLEDGE_STORE', 'postgres://host/', 'must name a host and a database'],
    ['KNOWLEDGE_STORE', 'postgres://[host/db', 'must name a host and a database'],
    ['KNOWLEDGE_MODEL_HOST', 'xhttp://a', 'must be an http or https URL'],
    ['KNOWLEDGE_MODEL_HOST', 'httpsx://a', 'must be an http or https URL'],
    ['PORT', 'x80', 'must be'],
    ['PORT', '80x', 'must be'],
  ])('%s=%s: %s', (name, value, sentence) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name} ${sentence}`);
  });
});

describe('a refused option', () => {
  it.each<readonly [unknown, string]>([
    [null, 'options must be an object.'],
    ['text', 'options must be an object.'],
    [{ languageModel: 'http://a' }, 'languageModel must be an object.'],
    [{ reranking: 7 }, 'reranking must be an object.'],
    [
      { embeddings: { baseUrl: 'http://a/v1' } },
      'embeddings.model must be set to the name of a model, because embeddings.baseUrl is set.',
    ],
    [{ languageModel: { model: 'a' } }, 'languageModel.baseUrl must be an http or https URL.'],
    [{ backends: 5 }, 'backends must be an object.'],
    [{ backend: 5 }, 'backend must be sqlite, memory or postgres'],
    [{ modelHost: 5 }, 'modelHost must be an http or https URL.'],
    [{ logger: 'loud' }, 'logger must be'],
  ])('%j: %s', (options, sentence) => {
    expect(() => configOf(options as KnowledgeStoreOptions)).toThrow(sentence);
  });

  it('is a model that is not the one of the embedder', () => {
    const embedder = new FakeEmbedder({ model: 'a/model' });
    expect(() => configOf({ model: 'b/model', backends: { embedder } })).toThrow(
      'model must be absent, or the model of backends.embedder.',
    );
    expect(configOf({ model: 'a/model', backends: { embedder } }).model).toBe('a/model');
    expect(() => configOf({ backends: { embedder } })).not.toThrow();
    expect(() => configOf({ model: 'b/model', backends: {} })).not.toThrow();
  });

  it('is no logger of the caller', () => {
    const log = () => {};
    const logger = { debug: log, info: log, warn: log, error: log };
    expect(configOf({ logger }).logLevel).toBe('warn');
  });
});

it('a whole number is one in its range, both ends included', () => {
  const accepts = wholeNumber({ min: 2, max: 4 }).accepts;
  expect([1, 2, 3, 4, 5, 2.5, '3', Number.NaN].map(accepts)).toEqual([
    false,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

it.each([
  ['0', 0],
  ['123456789', 123_456_789],
  ['1234567890', Number.NaN],
  ['1e3', Number.NaN],
  [' 1', Number.NaN],
  ['-1', Number.NaN],
  ['', Number.NaN],
])('the text %j is the number %d', (text, number) => {
  expect(toNumber(text)).toBe(number);
});

it('the list of variables has a line for each variable, with its default', () => {
  const lines = VARIABLES_HELP.split('\n');
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}PORT {21}\S.*\[default: 3737\]$/));
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}KNOWLEDGE_TOKEN {10}\S.*/));
  expect(lines.every((line) => /^ {2}[A-Z_]+ /.test(line))).toBe(true);
});
