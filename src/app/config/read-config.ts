import { isRecord } from '../../domain/records.js';
import {
  ConfigError,
  type ConfigSource,
  type EndpointConfig,
  type EndpointName,
  type Field,
  parseStore,
} from './config.js';
import { ENDPOINT_FIELDS } from './endpoints.js';
import { type Config, FIELDS } from './fields.js';
import type { KnowledgeStoreOptions } from './options.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from environment variables. An empty variable counts as absent, except for
 * the entries of kind `guard`, where it is an error.
 * @throws ConfigError that names the variable
 */
export function readConfig(env: Environment): Config {
  const values = readValues((field) => fromEnvironment(field, env));
  checkHost(values);
  return toConfig(values, 'variable');
}

/**
 * Reads the configuration from the options of the library, by the same rules.
 * @throws ConfigError that names the option
 */
export function configFrom(options: KnowledgeStoreOptions): Config {
  checkObject('options', options);
  checkNames(options);
  for (const name of ENDPOINTS) checkEndpoint(name, options[name]);
  checkModel(options);
  return toConfig(
    readValues((field) => fromOptions(field, options)),
    'option',
  );
}

/** The value of each entry; undefined if the entry is absent and has no default. */
type Values = { readonly [Name in keyof typeof FIELDS]: unknown };

function readValues(read: (field: Field) => unknown): Values {
  const entries = Object.entries<Field>(FIELDS).map(([name, field]) => [name, read(field)]);
  return Object.fromEntries(entries) as Values;
}

function fromEnvironment(field: Field, env: Environment): unknown {
  const text = env[field.variable];
  if (field.kind === 'guard' && text?.trim() === '') {
    throw new ConfigError(`${field.variable} is empty; set it to a value or unset it.`);
  }
  if (!text) return field.byDefault;
  const value = field.parse === undefined ? text : field.parse(text);
  const problem = findProblem(field, value);
  if (problem === undefined) return value;
  const rule = field.variableRule ?? problem;
  const end = field.shown === 'secret' ? '' : `; it is ${JSON.stringify(text)}`;
  throw new ConfigError(`${field.variable} ${rule}${end}.`);
}

function fromOptions(field: Field, options: KnowledgeStoreOptions): unknown {
  const value = readOption(field, options);
  const isAbsent = value === undefined || (value === '' && field.kind !== 'guard');
  if (isAbsent) return field.optionDefault ?? field.byDefault;
  const problem = findProblem(field, value);
  if (problem === undefined) return value;
  throw new ConfigError(`${field.option} ${problem}.`);
}

function findProblem({ schema }: Field, value: unknown): string | undefined {
  return schema.safeParse(value).error?.issues[0]?.message;
}

/** A custom logger gets every message, so the log level keeps its default. */
function readOption({ option }: Field, options: KnowledgeStoreOptions): unknown {
  if (option === undefined) return undefined;
  if (option === 'logger' && isRecord(options.logger)) return undefined;
  return option
    .split('.')
    .reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), options);
}

function toConfig(values: Values, source: ConfigSource): Config {
  const { backend, ...others } = values;
  const rest = Object.entries(others).filter(([name]) => !name.includes('.'));
  const embeddings = readEndpoint('embeddings', values, source);
  const reranking = readEndpoint('reranking', values, source);
  if (reranking !== undefined && values['reranker'] !== undefined) {
    const [local, endpoint] = [FIELDS.reranker, ENDPOINT_FIELDS['reranking.baseUrl']];
    throw new ConfigError(
      `${local[source]} and ${endpoint[source]} must not both be set, because only one of them can rerank.`,
    );
  }
  return {
    ...Object.fromEntries(rest),
    ...parseStore(String(backend)),
    languageModel: readEndpoint('languageModel', values, source),
    embeddings,
    ...(embeddings !== undefined && { model: embeddings.model }),
    reranking,
  } as Config;
}

const ENDPOINTS = ['languageModel', 'embeddings', 'reranking'] as const;

/** Returns undefined without a base URL, because a key or model alone has no effect. */
function readEndpoint(
  name: EndpointName,
  values: Values,
  source: ConfigSource,
): EndpointConfig | undefined {
  const baseUrl = values[`${name}.baseUrl`];
  const model = values[`${name}.model`];
  const apiKey = values[`${name}.apiKey`];
  if (baseUrl === undefined) return undefined;
  if (model === undefined) {
    const sourceName = (part: keyof EndpointConfig) => ENDPOINT_FIELDS[`${name}.${part}`][source];
    throw new ConfigError(
      `${sourceName('model')} must be set to the name of a model, because ${sourceName('baseUrl')} is set.`,
    );
  }
  return { baseUrl: String(baseUrl), model: String(model), apiKey: apiKey?.toString() };
}

function checkHost({ host, token }: Values): void {
  const isLoopback = /^(localhost|::1|127(\.\d{1,3}){3})$/i.test(String(host));
  if (isLoopback || token !== undefined) return;
  throw new ConfigError(
    `${FIELDS.token.variable} must be set if the service listens on ${FIELDS.host.variable}=${JSON.stringify(host)}, which other machines can reach.`,
  );
}

/** Refuses an endpoint without a valid base URL, because its model or API key would have no effect. */
function checkEndpoint(name: EndpointName, endpoint: unknown): void {
  if (endpoint === undefined) return;
  checkObject(name, endpoint);
  const field = ENDPOINT_FIELDS[`${name}.baseUrl`];
  const { baseUrl } = endpoint;
  const problem = findProblem(field, baseUrl);
  if (problem !== undefined) throw new ConfigError(`${field.option} ${problem}.`);
}

/** Vectors are stored under the name of their model, so `model` must be the name of the embedder. */
function checkModel({ model, backends }: KnowledgeStoreOptions): void {
  if (backends === undefined) return;
  checkObject('backends', backends);
  const { embedder } = backends;
  if (!embedder || model === undefined || model === (embedder.model ?? 'custom')) return;
  throw new ConfigError('model must be absent or equal to that of backends.embedder.');
}

/** Refuses misspelt options, which would have no effect. */
function checkNames(options: KnowledgeStoreOptions): void {
  const unknown = Object.keys(options).find((name) => !OPTIONS.has(name));
  if (unknown !== undefined) throw new ConfigError(`${unknown} is not an option.`);
}

const OPTIONS: ReadonlySet<string> = new Set([
  ...Object.values<Field>(FIELDS).flatMap(({ option }) => option?.split('.')[0] ?? []),
  ...['watch', 'backends'],
]);

function checkObject(
  name: string,
  value: unknown,
): asserts value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new ConfigError(`${name} must be an object.`);
}
