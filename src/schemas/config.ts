import * as z from 'zod';
import { textWith, wholeNumber } from './fields.js';

/**
 * The kinds of configuration values, for variables and options. Their messages have the same form as those in
 * `fields.ts`.
 */

export type ValueSchema = z.ZodType;
export type ValueOf<Schema extends ValueSchema> = z.output<Schema>;

export function string(error?: string) {
  return z.string(error === undefined ? {} : { error });
}

/** Why a value is invalid, as the second half of a sentence; undefined if it is valid. */
export type Problem = string | undefined;

/** Accepts texts for which `problemOf` finds no problem. */
export function textWithout(problemOf: (value: unknown) => Problem) {
  return z.custom<string>((value) => problemOf(value) === undefined, {
    error: ({ input }) => problemOf(input),
  });
}

/** A folder. `$HOME` and `~ada` are refused: unless a shell expands them, they would be folder names. */
export function folder() {
  return textWithout((value) => {
    if (typeof value !== 'string') return 'must be the path of a directory';
    return UNREPLACED.test(value) ? 'contains an unexpanded variable or "~"' : undefined;
  });
}

const UNREPLACED = /^~[^/]|(?:^|[/:])(?:\$\w+|\$\{\w+\}|%\w+%)(?:[/:\\]|$)/;

/** One of the given words. */
export function oneWord<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, { error: `must be ${words.join(' or ')}` });
}

/** A list of absolute paths. Refuses an empty list, which would allow every directory. */
export function absolutePaths() {
  const error = 'must be a list of absolute paths, or absent';
  return z
    .array(
      textWith((path) => path.startsWith('/'), error),
      { error },
    )
    .min(1, { error });
}

/** Names or addresses, each with or without a port; an IPv6 address is in brackets. */
export function hosts() {
  const error = 'must be host names without wildcards, separated by ","';
  return z.array(
    textWith((host) => HOST.test(host), error),
    { error },
  );
}

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?)(:\d{1,5})?$/i;

/** Whether a name is `<owner>/<name>`, which is safe in a path and in a URL. */
export function isModelName(value: string): boolean {
  return /^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(value);
}

/**
 * Whether a text can be sent as an API key. Other characters are invalid in a header, and `fetch` would repeat the key
 * in its error.
 */
export function isKey(value: string): boolean {
  return /^[\x21-\x7e]*$/.test(value);
}

/** The number written as a text of digits; NaN for any other text. */
export function toNumber(text: string): number {
  return /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : Number.NaN;
}

export function splitBy(separator: string): (text: string) => readonly string[] {
  return (text) => {
    const parts = text.split(separator).map((part) => part.trim());
    return parts.filter((part) => part !== '');
  };
}

/** Why a value is not a valid http or https URL; undefined if it is. */
export function httpProblem(value: unknown): Problem {
  const isHttp =
    typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return isHttp ? undefined : 'must be an http or https URL';
}

export function counting(byDefault: number, min: number, max: number) {
  return { byDefault, parse: toNumber, schema: wholeNumber({ min, max }) };
}

/** A switch: the variable is 1 or 0, and the option has a name for each. */
export function switching<const On extends string, const Off extends string>(on: On, off: Off) {
  return {
    parse: (text: string) => (text === '1' ? on : text === '0' ? off : undefined),
    schema: z.enum([on, off], { error: 'must be "allowed" or "forbidden"' }),
    variableRule: 'must be 1, 0 or absent',
  };
}
