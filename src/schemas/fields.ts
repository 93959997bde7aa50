import * as z from 'zod';
import { SOURCE_TYPES } from '../domain/chunks/chunk.js';
import { isGlobOrPath } from '../domain/glob.js';
import {
  MAX_RESULTS_RANGE,
  MAX_TOKENS_RANGE,
  PATHS_MAX,
  PROJECTS_MAX,
  type Range,
  TAG_MAX_CHARACTERS,
  TAGS_MAX,
  wholeNumberRule,
} from '../domain/limits.js';
import { parseTime, TIME_SYNTAX } from '../domain/query/times.js';
import { onOneLine } from '../domain/saved/saved-text.js';
import { CATEGORY_NAME_RULE, isCategoryName } from '../domain/upkeep/categories.js';

/**
 * Fields shared by several requests. The message of each rule is the second half of a sentence that begins with the
 * field's name.
 */

/** Only the form is checked here. Opening the project checks that the path is absolute, allowed and a directory. */
export const projectPath = textWith(isPath, 'must be the absolute path of a project directory')
  .min(1)
  .describe('Absolute path of the project.');

const PATHS_RULE = `must be a list of 1 to ${PROJECTS_MAX} absolute paths of project directories`;

export const projectPaths = z
  .array(textWith(isPath, PATHS_RULE).min(1).describe('Absolute path of the project.'), {
    error: PATHS_RULE,
  })
  .refine(({ length }) => 1 <= length && length <= PROJECTS_MAX, { error: PATHS_RULE })
  .describe(`Absolute paths of 1 to ${PROJECTS_MAX} projects.`)
  .meta({ examples: [['/home/me/shop', '/home/me/library']] });

export const maxResults = wholeNumber(MAX_RESULTS_RANGE).describe(
  'Maximum number of results; default 20.',
);

export const maxTokens = wholeNumber(MAX_TOKENS_RANGE).describe(
  'Token budget of the results; default 8000.',
);

const SOURCE_TYPES_RULE = `must be "all" or a list of ${SOURCE_TYPES.join(', ')}`;

export const sourceTypes = z
  .preprocess(
    firstDistinct,
    z.union([z.literal('all'), z.array(z.enum(SOURCE_TYPES))], { error: SOURCE_TYPES_RULE }),
  )
  .describe('Only chunks of these source types; default "all". An empty list finds nothing.');

export const sourceType = oneValue(SOURCE_TYPES);

/** Type of a chunk's source. Rows written by another program may have any type; it is returned unchanged. */
export const storedType = z
  .union([z.enum(SOURCE_TYPES), z.string()])
  .describe('Type of its source.');

export const featureId = textWith(isFolderName, 'must be a folder name');

export const categoryName = textWith(isCategoryName, CATEGORY_NAME_RULE).describe(
  'Name of a memory category, without ".md".',
);

const TAGS_RULE = `must be a list of at most ${TAGS_MAX} tags of 1 to ${TAG_MAX_CHARACTERS} characters`;

export const tags = z
  .array(wellFormed(TAGS_RULE), { error: TAGS_RULE })
  .refine((values) => values.length <= TAGS_MAX && values.every(isTag), { error: TAGS_RULE })
  .describe('Tags of the source.');

const SHARE_RULE = 'must be a number from 0 to 1';

export const share = z
  .number({ error: SHARE_RULE })
  .min(0, { error: SHARE_RULE })
  .max(1, { error: SHARE_RULE });

const PATHS_RULE_OF_FILTER = `must be a list of 1 to ${PATHS_MAX} globs or folders relative to the project, for example ["docs/**", ".knowledge/notes"]`;

export const paths = z
  .array(z.string({ error: PATHS_RULE_OF_FILTER }), { error: PATHS_RULE_OF_FILTER })
  .refine(({ length }) => 1 <= length && length <= PATHS_MAX, { error: PATHS_RULE_OF_FILTER })
  .refine((globs) => globs.every(isGlobOrPath), { error: PATHS_RULE_OF_FILTER })
  .describe('Only chunks of files that match one of these globs or are in one of these folders.')
  .meta({ examples: [['docs/**', '.knowledge/notes']] });

/** A point in time, or a span before now. */
export function time(meaning: string) {
  const error = `must be ${TIME_SYNTAX}`;
  return textWith((value) => parseTime(value, new Date(0)) !== undefined, error).describe(
    `${meaning} a date (2026-05-01), an ISO 8601 time or a span (12h, 7d, 3w ago).`,
  );
}

export const importance = share.describe('Importance of the source, from 0 to 1; default 0.5.');

export const flag = z.boolean({ error: 'must be true or false' });

export const includeSuperseded = flag
  .describe('Whether to include superseded notes; default false.')
  .exactOptional();

export const counted = flag
  .describe('Whether the search counts as a retrieval of its results; default true.')
  .exactOptional();

export const anyText = wellFormed('must be a string');

export const also = anyText.describe(
  'The same question in the words of a document about it. For "why is login slow": "authentication latency, session token cache".',
);

const TEXT_RULE = 'must be a non-blank string';

/**
 * An absent or blank text is refused because it is blank. Only a value of another type is refused because of its type.
 */
export const text = wellFormed(({ input }) =>
  input === undefined ? TEXT_RULE : 'must be a string',
).refine((value) => value.trim() !== '', { error: TEXT_RULE });

export const line = wholeNumber({ min: 1, max: 10_000_000 });

/** The request of routes whose only field is the project. */
export const projectRequest = z.object({ projectPath });

/** A text that a program embeds. */
export const textRequest = z.object({ text: z.string({ error: 'must be a string' }) });
export const textsRequest = z.object({ texts: texts() });

/** A text without unpaired surrogates. They can be neither stored nor searched, so each is replaced with U+FFFD. */
function wellFormed(error: string | z.core.$ZodErrorMap) {
  return z.string({ error }).overwrite((value) => value.toWellFormed());
}

export function textWith(accepts: (text: string) => boolean, error: string) {
  return z.string({ error }).refine(accepts, { error });
}

export function wholeNumber({ min, max }: Range) {
  const error = wholeNumberRule({ min, max });
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** A number in a URL query, where every field is text. */
export function inQuery<Schema extends z.ZodType>(number: Schema) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    number,
  );
}

export function oneValue<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, {
    error: `must be ${values.map((value) => `"${value}"`).join(' or ')}`,
  });
}

export function texts(error = 'must be a list of strings') {
  return z.array(z.string({ error }), { error });
}

/** A count in an answer. */
export function count(meaning: string) {
  return z.int().min(0).describe(meaning);
}

export function list<Item extends z.ZodType>(item: Item, meaning: string) {
  return z.array(item).describe(meaning);
}

/** An object that the API documentation describes once, by name. */
export function named<Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) {
  return z.object(shape).meta({ id, description });
}

export function isPath(path: string): boolean {
  return path.trim() !== '' && !path.includes('\0');
}

export function isFolderName(name: string): boolean {
  return /^[^/\\\0]{1,255}$/.test(name) && !/^\.\.?$/.test(name);
}

function isTag(tag: string): boolean {
  return onOneLine(tag) !== '' && tag.length <= TAG_MAX_CHARACTERS;
}

/**
 * Removes duplicates, because checking half a million values would take seconds. Keeps at most one distinct value more
 * than there are types, so that a longer list is still refused.
 */
function firstDistinct(types: unknown): unknown {
  return Array.isArray(types) ? [...new Set(types)].slice(0, SOURCE_TYPES.length + 1) : types;
}
