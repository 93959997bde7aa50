import { SOURCE_TYPES } from '../domain/chunks/chunk.js';
import { KnowledgeError } from '../domain/errors.js';
import {
  MAX_RESULTS_RANGE,
  MAX_TOKENS_RANGE,
  TAG_MAX_CHARACTERS,
  TAGS_MAX,
  THRESHOLD_RANGE,
} from '../domain/limits.js';
import { DOCUMENT_PATH_RULE, isDocumentPath } from '../domain/pushed-document.js';
import { isRecord } from '../domain/records.js';
import { EPIC_ID_MAX_CHARACTERS, isEpicId } from '../domain/saved/digest.js';
import { isNoteId, NOTE_ID_RULE } from '../domain/saved/note-id.js';
import { isPageUrl, PAGE_URL_RULE } from '../domain/saved/page-address.js';
import { CANDIDATE_SETS, FUSIONS } from '../domain/settings.js';
import { ARCHIVE_NAME_RULE, isArchiveName } from '../domain/transfer/archive-names.js';
import { CATEGORY_NAME_RULE, isCategoryName } from '../domain/upkeep/category-name.js';

/**
 * Checks arguments at run time: every `required` one, and each `optional` one that is not undefined.
 * Names without a rule are ignored.
 * @throws KnowledgeError `invalid_request` that names the first invalid argument
 */
export function checkArguments(required: Arguments, optional: Arguments = {}): void {
  for (const [name, value] of Object.entries(required)) check(name, value);
  for (const [name, value] of Object.entries(optional)) {
    if (value !== undefined) check(name, value);
  }
}

/** Values by argument name. An argument has the same name and the same rule in every method. */
export type Arguments = { readonly [Name in keyof typeof RULES]?: unknown };

interface Rule {
  readonly accepts: (value: unknown) => boolean;
  readonly must: string;
}

const TEXT: Rule = { accepts: isText, must: 'must be a string' };
const TAGS_RULE = `must be a list of at most ${TAGS_MAX} tags of 1 to ${TAG_MAX_CHARACTERS} characters`;
const OBJECT: Rule = { accepts: isRecord, must: 'must be an object' };

const RULES = {
  projectPath: {
    accepts: isPath,
    must: 'must be the absolute path of a project directory',
  },
  query: TEXT,
  text: TEXT,
  texts: { accepts: isListOf(isText), must: 'must be a list of strings' },
  title: TEXT,
  content: TEXT,
  id: { accepts: isNoteId, must: NOTE_ID_RULE },
  name: { accepts: isArchiveText, must: ARCHIVE_NAME_RULE },
  chunkId: TEXT,
  force: { accepts: (value) => typeof value === 'boolean', must: 'must be true or false' },
  note: OBJECT,
  document: OBJECT,
  path: {
    accepts: (value) => typeof value === 'string' && isDocumentPath(value),
    must: DOCUMENT_PATH_RULE,
  },
  description: TEXT,
  sourceFile: TEXT,
  categoryFile: TEXT,
  featureId: TEXT,
  page: OBJECT,
  subject: OBJECT,
  category: { accepts: isCategoryText, must: CATEGORY_NAME_RULE },
  epicId: {
    accepts: isEpicId,
    must: `must be a text of 1 to ${EPIC_ID_MAX_CHARACTERS} characters`,
  },
  url: { accepts: isPageUrl, must: PAGE_URL_RULE },
  tags: { accepts: isListOfTags, must: TAGS_RULE },
  importance: { accepts: isShare, must: 'must be a number from 0 to 1' },
  feature: OBJECT,
  options: OBJECT,
  maxResults: wholeNumber(MAX_RESULTS_RANGE),
  maxTokens: wholeNumber(MAX_TOKENS_RANGE),
  minRelevance: { accepts: isShare, must: 'must be a number from 0 to 1' },
  threshold: wholeNumber(THRESHOLD_RANGE),
  sourceTypes: {
    accepts: (value) => value === 'all' || isListOf(isOneOf(SOURCE_TYPES))(value),
    must: `must be "all" or a list of ${SOURCE_TYPES.join(', ')}`,
  },
  sourceType: oneOf(SOURCE_TYPES),
  fusion: oneOf(FUSIONS),
  candidates: oneOf(CANDIDATE_SETS),
  a: { accepts: isVectorLike, must: 'must be a vector of finite numbers' },
  b: { accepts: isVectorLike, must: 'must be a vector of finite numbers' },
} satisfies Record<string, Rule>;

const RULE_OF: ReadonlyMap<string, Rule> = new Map(Object.entries(RULES));

function check(name: string, value: unknown): void {
  const rule = RULE_OF.get(name);
  if (rule === undefined || rule.accepts(value)) return;
  throw invalidRequest(`${name} ${rule.must}.`);
}

/** @throws KnowledgeError `invalid_request` if a text is blank or longer than `max` characters */
export function checkText(name: string, text: string, max: number): void {
  if (text.trim() === '') throw invalidRequest(`${name} must not be blank.`);
  if (text.length > max) throw invalidRequest(`${name} must have at most ${max} characters.`);
}

export function invalidRequest(sentence: string): KnowledgeError {
  return new KnowledgeError('invalid_request', sentence);
}

function wholeNumber({ min, max }: { readonly min: number; readonly max: number }): Rule {
  return {
    accepts: (value) => Number.isInteger(value) && min <= Number(value) && Number(value) <= max,
    must: `must be a whole number from ${min} to ${max}`,
  };
}

function oneOf(values: readonly string[]): Rule {
  return {
    accepts: isOneOf(values),
    must: `must be ${values.map((value) => `"${value}"`).join(' or ')}`,
  };
}

function isOneOf(values: readonly unknown[]): Rule['accepts'] {
  return (value) => values.includes(value);
}

function isListOf(accepts: Rule['accepts']): Rule['accepts'] {
  return (value) => Array.isArray(value) && Array.from(value).every(accepts);
}

function isListOfTags(value: unknown): boolean {
  return isListOf(isTag)(value) && (value as readonly unknown[]).length <= TAGS_MAX;
}

function isTag(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= TAG_MAX_CHARACTERS;
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && 0 <= value && value <= 1;
}

function isCategoryText(value: unknown): boolean {
  return typeof value === 'string' && isCategoryName(value);
}

function isArchiveText(value: unknown): boolean {
  return typeof value === 'string' && isArchiveName(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && !value.includes('\0');
}

function isVectorLike(value: unknown): boolean {
  if (!(value instanceof Float32Array) && !Array.isArray(value)) return false;
  return Array.from(value as ArrayLike<unknown>).every(
    (entry) => typeof entry === 'number' && Number.isFinite(Math.fround(entry)),
  );
}
