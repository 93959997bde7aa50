import * as z from 'zod';
import { SOURCE_TYPES } from '../domain/chunks/chunk.js';
import { FIELDS } from '../domain/fields.js';
import { PROJECTS_MAX } from '../domain/limits.js';
import { FLAG, type Range, type Rule, SHARE } from '../domain/value-rule.js';

/** Fields that several routes and tools share, each with the rule that the domain states for it. */

/** The store checks that the path is absolute, allowed and a directory. */
export const projectPath = textFor(FIELDS.projectPath)
  .min(1)
  .describe('Absolute path of the project.');

export const projectPaths = listFor(FIELDS.projectPaths, projectPath)
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

export const featureId = textFor(FIELDS.featureId);

export const categoryName = textFor(FIELDS.category).describe(
  'Name of a memory category, without ".md".',
);

export const tags = listFor(FIELDS.tags, wellFormed(FIELDS.tags.must)).describe(
  'Tags of the source.',
);

export const share = z
  .number({ error: SHARE.must })
  .min(SHARE.min, { error: SHARE.must })
  .max(SHARE.max, { error: SHARE.must });

export const importance = share.describe('How important the source is, 0 to 1; default 0.5.');

export const pageUrl = textFor(FIELDS.url)
  .describe('Address of a public web page, http or https, without user name and password.')
  .meta({ examples: ['https://example.org/'] });

export const epicId = textFor(FIELDS.epicId).describe('Epic whose features have the reflections.');

export const flag = z.boolean({ error: FLAG.must });

export const includeSuperseded = flag
  .describe('Whether notes that another one replaces are found, too; default false.')
  .exactOptional();

export const anyText = wellFormed('must be a string');

export const text = wellFormed('must be a text that is not blank').refine(
  (value) => value.trim() !== '',
  { error: 'must be a text that is not blank' },
);

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

/** Of rows that another program wrote, any text; they are returned unchanged. */
export const sourceType = z
  .union([z.enum(SOURCE_TYPES), z.string()])
  .describe('Where it comes from.');

export function textFor({ accepts, must: error }: Rule) {
  return z.string({ error }).refine(accepts, { error });
}

export function wholeNumber({ min, max, must: error }: Rule & Range) {
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** A whole number in the query of a URL, whose fields are texts. */
export function wholeText(rule: Rule & Range) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    wholeNumber(rule),
  );
}

export function oneOf<const Values extends readonly string[]>({
  values,
  must: error,
}: Rule & { readonly values: Values }) {
  return z.enum(values, { error });
}

/** A number of things in a response. */
export function count(meaning: string) {
  return z.int().min(0).describe(meaning);
}

export function list<Item extends z.ZodType>(item: Item, meaning: string) {
  return z.array(item).describe(meaning);
}

/** An object that the documentation describes once, under its name. */
export function named<Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) {
  return z.object(shape).meta({ id, description });
}

function listFor<Item extends z.ZodType>({ accepts, must: error }: Rule, item: Item) {
  return z.array(item, { error }).refine(accepts, { error });
}

/** Half a surrogate pair can be neither stored nor searched, so it is replaced with U+FFFD. */
function wellFormed(must: string) {
  return z.string({ error: must }).overwrite((value) => value.toWellFormed());
}

/**
 * Keeps one distinct value more than there are types: at least one of them is wrong then, and checking half a
 * million values would take seconds.
 */
function firstDistinct(types: unknown): unknown {
  return Array.isArray(types) ? [...new Set(types)].slice(0, SOURCE_TYPES.length + 1) : types;
}
