import { wholeNumberRule } from '../../domain/limits.js';
import { type EndpointConfig, NAMED_BACKENDS, type StoreBackend } from './config.js';
import type { KnowledgeStoreOptions } from './options.js';

/** Where a value comes from: an environment variable of the process, or an option of the library. */
export type ConfigSource = 'variable' | 'option';

export interface Field {
  readonly variable: string;
  /** The library option; absent for entries that only concern the process. */
  readonly option?: OptionPath;
  /** For `--help`, without the default. */
  readonly help: string;
  readonly byDefault?: string | number | readonly string[];
  /** Default of the option, if it differs from that of the variable. */
  readonly optionDefault?: string | number;
  /** The default as it would be written in the variable, if that differs from `byDefault`. */
  readonly defaultText?: string;
  /** Parses the text of a variable; absent if the text is the value. */
  readonly parse?: (text: string) => unknown;
  readonly problem: (value: unknown, source: ConfigSource) => Problem;
  /** `guard`: the entry protects something, so an empty variable is an error and not a default. */
  readonly kind?: 'guard';
  /** `secret`: the value may contain a password and is never repeated in an error. */
  readonly shown?: 'secret';
}

/** The names of the options that correspond to an entry, as they appear in errors. */
type OptionPath =
  | Exclude<keyof KnowledgeStoreOptions, EndpointName | 'backends'>
  | `${EndpointName}.${keyof EndpointConfig}`;

export type EndpointName = 'languageModel' | 'embeddings' | 'reranking';

/** The rule that a value breaks, as the second half of a sentence; undefined for a valid value. */
export type Problem = string | undefined;

export function unless(
  accepts: (value: unknown) => boolean,
  rule: string,
): (value: unknown) => Problem {
  return (value) => (accepts(value) ? undefined : rule);
}

export function notOneOf(values: readonly string[]): (value: unknown) => Problem {
  return (value) => (isOneOf(values, value) ? undefined : `must be ${values.join(' or ')}`);
}

function isOneOf(values: readonly unknown[], value: unknown): boolean {
  return values.includes(value);
}

/** An empty list is refused: it would allow every directory. */
export function isListOfAbsolutePaths(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    Array.from(value).every((path) => isText(path) && path.startsWith('/'))
  );
}

/** Names or addresses, each with or without a port; an IPv6 address is in brackets. */
export function isListOfHosts(value: unknown): boolean {
  return Array.isArray(value) && value.every((host) => isText(host) && HOST.test(host));
}

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?)(:\d{1,5})?$/i;

export function isFolderName(value: unknown): boolean {
  return isText(value) && /^[^/\\\0]{1,255}$/.test(value) && value !== '.' && value !== '..';
}

export function isModelName(value: unknown): boolean {
  return isText(value) && /^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(value);
}

/** Other characters are invalid in a header, and `fetch` would repeat the key in its error. */
export function isKey(value: unknown): boolean {
  return isText(value) && /^[\x21-\x7e]*$/.test(value);
}

export function outside(min: number, max: number): (value: unknown) => Problem {
  const isInside = (value: unknown) =>
    Number.isInteger(value) && min <= Number(value) && Number(value) <= max;
  return unless(isInside, wholeNumberRule({ min, max }));
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The number that a text of digits is; other texts are no number. */
export function toNumber(text: string): number {
  return /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : Number.NaN;
}

export function partsOf(separator: string): (text: string) => readonly string[] {
  return (text) => {
    const parts = text.split(separator).map((part) => part.trim());
    return parts.filter((part) => part !== '');
  };
}

/** The rule that a value breaks as an http or https URL; undefined if it is valid. */
export function httpProblem(value: unknown): Problem {
  const isHttp = isText(value) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return isHttp ? undefined : 'must be an http or https URL';
}

export function counting(byDefault: number, min: number, max: number) {
  return { byDefault, parse: toNumber, problem: outside(min, max) };
}

const NAMED_HELP = Object.entries(NAMED_BACKENDS).map(([name, { help }]) => `${name} (${help})`);

export const BACKENDS_HELP = `${NAMED_HELP.join(', ')} or postgres://user:password@host/database`;

/** The rule that a value breaks as the name of a backend or the URL of a database; never repeats the value. */
export function backendProblem(value: unknown): Problem {
  if (isOneOf(Object.keys(NAMED_BACKENDS), value)) return undefined;
  if (typeof value !== 'string' || !isDatabaseUrl(value))
    return `must be ${Object.keys(NAMED_BACKENDS).join(', ')} or postgres://user:password@host:port/database`;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url !== undefined && url.hostname !== '' && url.pathname.length > 1
    ? undefined
    : 'must name a host and a database: postgres://user:password@host:port/database';
}

export function storeOf(backend: string): {
  readonly backend: StoreBackend;
  readonly databaseUrl?: string;
  readonly workers?: number;
} {
  if (isDatabaseUrl(backend)) return { backend: 'postgres', databaseUrl: backend };
  const name = backend as keyof typeof NAMED_BACKENDS;
  return { backend: name, ...NAMED_BACKENDS[name].process };
}

function isDatabaseUrl(value: string): boolean {
  return /^postgres(ql)?:\/\//i.test(value);
}
