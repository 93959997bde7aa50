import { storeOf } from './backend-rule.js';
import { type Config, ConfigError } from './config.js';
import { FIELDS, type Field } from './fields.js';
import type { KnowledgeStoreOptions } from './options.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from environment variables. An empty variable counts as absent, except for
 * the entries of kind `guard`, where it is an error.
 * @throws ConfigError that names the variable
 */
export function readConfig(env: Environment): Config {
  const values = valuesOf((field) => fromEnvironment(field, env));
  checkHost(values);
  return toConfig(values);
}

/**
 * Reads the configuration from the options of the library, by the same rules.
 * @throws ConfigError that names the option
 */
export function configOf(options: KnowledgeStoreOptions): Config {
  checkObject('options', options);
  if (options.languageModel !== undefined) checkLanguageModel(options.languageModel);
  checkModel(options);
  return toConfig(valuesOf((field) => fromOptions(field, options)));
}

/** The value of each entry; undefined if it is absent and has no default. */
type Values = { readonly [Name in keyof typeof FIELDS]: unknown };

function valuesOf(read: (field: Field) => unknown): Values {
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
  const problem = field.problem(value, 'variable');
  if (problem === undefined) return value;
  const end = field.shown === 'secret' ? '' : `; it is ${JSON.stringify(text)}`;
  throw new ConfigError(`${field.variable} ${problem}${end}.`);
}

function fromOptions(field: Field, options: KnowledgeStoreOptions): unknown {
  const value = optionOf(field, options);
  const isAbsent = value === undefined || (value === '' && field.kind !== 'guard');
  if (isAbsent) return field.optionDefault ?? field.byDefault;
  const problem = field.problem(value, 'option');
  if (problem === undefined) return value;
  throw new ConfigError(`${field.option} ${problem}.`);
}

/** A custom logger gets every message, so the log level keeps its default. */
function optionOf({ option }: Field, options: KnowledgeStoreOptions): unknown {
  if (option === undefined) return undefined;
  if (option === 'logger' && isObject(options.logger)) return undefined;
  return option
    .split('.')
    .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), options);
}

function toConfig(values: Values): Config {
  const { languageModelUrl, languageModelKey, languageModelName, backend, ...rest } = values;
  const languageModel =
    languageModelUrl === undefined
      ? undefined
      : { baseUrl: languageModelUrl, model: languageModelName, apiKey: languageModelKey };
  return { ...rest, ...storeOf(String(backend)), languageModel } as Config;
}

function checkHost({ host, token }: Values): void {
  const isLoopback = /^(localhost|::1|127(\.\d{1,3}){3})$/i.test(String(host));
  if (isLoopback || token !== undefined) return;
  throw new ConfigError(
    `${FIELDS.token.variable} must be set if the service listens on ${FIELDS.host.variable}=${JSON.stringify(host)}, which other machines can reach.`,
  );
}

/** A model name or an API key without an endpoint would have no effect. */
function checkLanguageModel(languageModel: unknown): void {
  checkObject('languageModel', languageModel);
  const field = FIELDS.languageModelUrl;
  const { baseUrl } = languageModel as { readonly baseUrl?: unknown };
  const problem = field.problem(baseUrl);
  if (problem !== undefined) throw new ConfigError(`${field.option} ${problem}.`);
}

/** Vectors are stored under the name of their model, so the two names must not differ. */
function checkModel({ model, backends }: KnowledgeStoreOptions): void {
  if (backends === undefined) return;
  checkObject('backends', backends);
  const { embedder } = backends;
  if (embedder === undefined || model === undefined || model === embedder.model) return;
  throw new ConfigError('model must be absent, or the model of backends.embedder.');
}

function checkObject(name: string, value: unknown): void {
  if (!isObject(value)) throw new ConfigError(`${name} must be an object.`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
