import * as z from 'zod';
import { SOURCE_TYPES } from '../domain/chunks/chunk.js';
import { FIELDS } from '../domain/fields.js';
import { PROJECTS_MAX, TAGS_MAX } from '../domain/limits.js';
import {
  CATEGORY_NAME_MAX_CHARACTERS,
  CATEGORY_NAME_PATTERN,
} from '../domain/upkeep/category-name.js';
import { FLAG, type Range, type Rule, SHARE } from '../domain/value-rule.js';

/** The request fields that several routes share, each with the rule that the domain states for it. */

/** The store checks that the path is absolute, allowed and a directory. */
export const projectPath = textFor(FIELDS.projectPath)
  .min(1)
  .describe('Absolute path of the project.');

export const projectPaths = z
  .array(projectPath, { error: FIELDS.projectPaths.must })
  .refine(FIELDS.projectPaths.accepts, { error: FIELDS.projectPaths.must })
  .describe(`Absolute paths of 1 to ${PROJECTS_MAX} projects.`)
  .meta({ examples: [['/home/me/shop', '/home/me/library']] });

export const maxResults = wholeNumber(FIELDS.maxResults).describe(
  'Maximum number of results; default 20.',
);

export const maxTokens = wholeNumber(FIELDS.maxTokens).describe(
  'Token budget of the results; default 8000.',
);

export const sourceTypes = z
  .preprocess(
    firstDistinct,
    z.union([z.literal('all'), z.array(z.enum(SOURCE_TYPES))], { error: FIELDS.sourceTypes.must }),
  )
  .describe('Only chunks of these source types; default "all", and an empty list finds nothing.');

export const featureId = z
  .string({ error: 'must be the name of a folder' })
  .refine(isFolderName, { error: 'must be the name of a folder' });

export const categoryName = z
  .string({ error: FIELDS.category.must })
  .regex(CATEGORY_NAME_PATTERN, { error: FIELDS.category.must })
  .max(CATEGORY_NAME_MAX_CHARACTERS, { error: FIELDS.category.must })
  .describe('Name of a memory category, without ".md".');

export const archiveName = textFor(FIELDS.name);

export const tags = z
  .array(
    z.string({ error: FIELDS.tags.must }).overwrite((tag) => tag.toWellFormed()),
    { error: FIELDS.tags.must },
  )
  .max(TAGS_MAX, { error: FIELDS.tags.must })
  .refine(FIELDS.tags.accepts, { error: FIELDS.tags.must })
  .describe('Tags of the source.');

export const share = z
  .number({ error: SHARE.must })
  .min(0, { error: SHARE.must })
  .max(1, { error: SHARE.must });

export const importance = share.describe('How important the source is, 0 to 1; default 0.5.');

export const pageUrl = textFor(FIELDS.url)
  .describe('Address of a public web page, http or https, without user name and password.')
  .meta({ examples: ['https://example.org/'] });

export const epicId = textFor(FIELDS.epicId).describe('Epic whose features have the reflections.');

export const flag = z.boolean({ error: FLAG.must });

export const includeSuperseded = flag
  .describe('Whether notes that another one replaces are found, too; default false.')
  .exactOptional();

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

export function textFor({ accepts, must: error }: Rule) {
  return z.string({ error }).refine(accepts, { error });
}

export function wholeNumber({ min, max, must: error }: Rule & Range) {
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** A whole number in the query of a URL, whose fields are texts. */
export function wholeText(rule: Rule & Range) {
  return z.preprocess(numberIn, wholeNumber(rule));
}

function numberIn(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

export function oneOf<const Values extends readonly string[]>({
  values,
  must: error,
}: Rule & { readonly values: Values }) {
  return z.enum(values, { error });
}

/**
 * Keeps one distinct value more than there are types: at least one of them is wrong then, and checking half a
 * million values would take seconds.
 */
function firstDistinct(types: unknown): unknown {
  return Array.isArray(types) ? [...new Set(types)].slice(0, SOURCE_TYPES.length + 1) : types;
}

const FOLDER_NAME_MAX_CHARACTERS = 255;

function isFolderName(name: string): boolean {
  return (
    /^[^/\\\0]+$/.test(name) && !/^\.\.?$/.test(name) && name.length <= FOLDER_NAME_MAX_CHARACTERS
  );
}
