import { isText, type Rule } from '../../domain/value-rule.js';

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

export function isOneOf(values: readonly unknown[], value: unknown): boolean {
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

/** The problem of a value that breaks a rule of the domain. */
export function breaking({ accepts, must }: Rule): (value: unknown) => Problem {
  return unless(accepts, must);
}

/** The number that a text of digits is; other texts are no number. */
export function toNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}
