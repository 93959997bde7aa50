import { z } from 'zod';
import { SOURCE_TYPES } from '../domain/chunks/chunk.js';
import {
  MAX_RESULTS_RANGE,
  MAX_TOKENS_RANGE,
  TAG_MAX_CHARACTERS,
  TAGS_MAX,
} from '../domain/limits.js';
import { EPIC_ID_MAX_CHARACTERS, isEpicId } from '../domain/saved/digest.js';
import { isPageUrl, PAGE_URL_RULE } from '../domain/saved/page-address.js';
import { ARCHIVE_NAME_RULE, isArchiveName } from '../domain/transfer/archive-names.js';
import {
  CATEGORY_NAME_MAX_CHARACTERS,
  CATEGORY_NAME_PATTERN,
  CATEGORY_NAME_RULE,
} from '../domain/upkeep/category-name.js';

/**
 * The request fields that several routes share. Each has one error message, the second half of a
 * sentence that begins with the name of the field.
 */

/** The store checks that the path is absolute, allowed and a directory. */
export const projectPath = z
  .string({ error: 'must be the absolute path of a project directory' })
  .min(1, { error: 'must be the absolute path of a project directory' })
  .refine((path) => !path.includes('\0'), { error: 'must not contain a NUL character' })
  .describe('Absolute path of the project.');

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
  .describe('Only chunks of these source types; default "all", and an empty list finds nothing.');

export const featureId = z
  .string({ error: 'must be the name of a folder' })
  .refine(isFolderName, { error: 'must be the name of a folder' });

export const categoryName = z
  .string({ error: CATEGORY_NAME_RULE })
  .regex(CATEGORY_NAME_PATTERN, { error: CATEGORY_NAME_RULE })
  .max(CATEGORY_NAME_MAX_CHARACTERS, { error: CATEGORY_NAME_RULE })
  .describe('Name of a memory category, without ".md".');

export const archiveName = z
  .string({ error: ARCHIVE_NAME_RULE })
  .refine(isArchiveName, { error: ARCHIVE_NAME_RULE });

const TAGS_RULE = `must be a list of at most ${TAGS_MAX} tags of 1 to ${TAG_MAX_CHARACTERS} characters`;

export const tags = z
  .array(
    z
      .string({ error: TAGS_RULE })
      .overwrite((tag) => tag.toWellFormed())
      .refine((tag) => tag.trim() !== '' && tag.length <= TAG_MAX_CHARACTERS, { error: TAGS_RULE }),
    { error: TAGS_RULE },
  )
  .max(TAGS_MAX, { error: TAGS_RULE })
  .describe('Tags of the source.');

export const share = z
  .number({ error: 'must be a number from 0 to 1' })
  .min(0, { error: 'must be a number from 0 to 1' })
  .max(1, { error: 'must be a number from 0 to 1' });

export const importance = share.describe('How important the source is, 0 to 1; default 0.5.');

export const pageUrl = z
  .string({ error: PAGE_URL_RULE })
  .refine(isPageUrl, { error: PAGE_URL_RULE })
  .describe('Address of a public web page, http or https, without user name and password.')
  .meta({ examples: ['https://example.org/'] });

const EPIC_ID_RULE = `must be a text of 1 to ${EPIC_ID_MAX_CHARACTERS} characters`;

export const epicId = z
  .string({ error: EPIC_ID_RULE })
  .refine(isEpicId, { error: EPIC_ID_RULE })
  .describe('Epic whose features have the reflections.');

export const flag = z.boolean({ error: 'must be true or false' });

/** Half a surrogate pair can be neither stored nor searched, so it is replaced with U+FFFD. */
export const anyText = z
  .string({ error: 'must be a string' })
  .overwrite((value) => value.toWellFormed());

export const text = z
  .string({ error: 'must be a text that is not blank' })
  .overwrite((value) => value.toWellFormed())
  .refine((value) => value.trim() !== '', { error: 'must be a text that is not blank' });

/** The fields of a search that both variants take. */
export const searchFields = {
  projectPath,
  query: text.describe('Any text, or an expression: "a phrase", AND, OR, NOT, prefix*.'),
  maxResults: maxResults.exactOptional(),
  maxTokens: maxTokens.exactOptional(),
  sourceTypes: sourceTypes.exactOptional(),
} as const;

/** The request of routes whose only field is the project. */
export const projectRequest = z.object({ projectPath });

interface Range {
  readonly min: number;
  readonly max: number;
}

export function wholeNumber({ min, max }: Range) {
  const error = `must be a whole number from ${grouped(min)} to ${grouped(max)}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: `must be ${values.map((value) => `"${value}"`).join(' or ')}` });
}

/**
 * Keeps one distinct value more than there are types: at least one of them is wrong then, and checking half a
 * million values would take seconds.
 */
function firstDistinct(types: unknown): unknown {
  return Array.isArray(types) ? [...new Set(types)].slice(0, SOURCE_TYPES.length + 1) : types;
}

function grouped(value: number): string {
  return value.toLocaleString('en-US', { useGrouping: 'min2' });
}

const FOLDER_NAME_MAX_CHARACTERS = 255;

function isFolderName(name: string): boolean {
  return (
    /^[^/\\\0]+$/.test(name) && !/^\.\.?$/.test(name) && name.length <= FOLDER_NAME_MAX_CHARACTERS
  );
}
