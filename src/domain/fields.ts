import { SOURCE_TYPES } from './chunks/chunk.js';
import {
  MAX_RESULTS_RANGE,
  MAX_TOKENS_RANGE,
  PROJECTS_MAX,
  TAG_MAX_CHARACTERS,
  TAGS_MAX,
  THRESHOLD_RANGE,
} from './limits.js';
import { CHUNK_ORDERS, LISTED_CHUNKS_RANGE, LISTED_OFFSET_RANGE } from './overview/chunk-list.js';
import { MAP_POINTS_RANGE } from './overview/projection.js';
import { isRecord } from './records.js';
import {
  DOCUMENT_PATH_RULE,
  isDocumentPath,
  isNoteId,
  isPageUrl,
  NOTE_ID_RULE,
  PAGE_URL_RULE,
} from './saved/saved-names.js';
import { EPIC_ID_MAX_CHARACTERS, isEpicId, onOneLine } from './saved/saved-text.js';
import { CANDIDATE_SETS, FUSIONS } from './settings.js';
import { CATEGORY_NAME_RULE, isCategoryName } from './upkeep/categories.js';
import { FLAG, isListOf, isText, oneOf, type Rule, SHARE, wholeNumber } from './value-rule.js';

const TEXT: Rule = { accepts: isText, must: 'must be a string' };
const OBJECT: Rule = { accepts: isRecord, must: 'must be an object' };
const VECTOR: Rule = { accepts: isVectorLike, must: 'must be a vector of finite numbers' };

/**
 * The rules of the fields that callers send, whether over HTTP, as a tool's arguments or through the library. A field
 * has the same name and the same rule everywhere.
 */
export const FIELDS = {
  projectPath: textWith(isPath, 'must be the absolute path of a project directory'),
  projectPaths: {
    accepts: isListOfPaths,
    must: `must be a list of 1 to ${PROJECTS_MAX} absolute paths of project directories`,
  },
  query: TEXT,
  text: TEXT,
  texts: { accepts: isListOf(isText), must: 'must be a list of strings' },
  chunkIds: { accepts: isListOf(isText), must: 'must be a list of strings' },
  title: TEXT,
  content: TEXT,
  id: textWith(isNoteId, NOTE_ID_RULE),
  supersedes: textWith(isNoteId, NOTE_ID_RULE),
  chunkId: TEXT,
  force: FLAG,
  note: OBJECT,
  document: OBJECT,
  path: textWith(isDocumentPath, DOCUMENT_PATH_RULE),
  databasePath: textWith(isPath, 'must be the path of a database'),
  description: TEXT,
  sourceFile: TEXT,
  categoryFile: TEXT,
  featureId: textWith(isFolderName, 'must be the name of a folder'),
  page: OBJECT,
  subject: OBJECT,
  category: textWith(isCategoryName, CATEGORY_NAME_RULE),
  epicId: textWith(isEpicId, `must be a text of 1 to ${EPIC_ID_MAX_CHARACTERS} characters`),
  url: textWith(isPageUrl, PAGE_URL_RULE),
  tags: {
    accepts: isListOfTags,
    must: `must be a list of at most ${TAGS_MAX} tags of 1 to ${TAG_MAX_CHARACTERS} characters`,
  },
  importance: SHARE,
  feature: OBJECT,
  options: OBJECT,
  maxResults: wholeNumber(MAX_RESULTS_RANGE),
  maxTokens: wholeNumber(MAX_TOKENS_RANGE),
  minRelevance: SHARE,
  includeSuperseded: FLAG,
  context: FLAG,
  threshold: wholeNumber(THRESHOLD_RANGE),
  sourceTypes: {
    accepts: (value: unknown) => value === 'all' || isListOf(oneOf(SOURCE_TYPES).accepts)(value),
    must: `must be "all" or a list of ${SOURCE_TYPES.join(', ')}`,
  },
  sourceType: oneOf(SOURCE_TYPES),
  fusion: oneOf(FUSIONS),
  candidates: oneOf(CANDIDATE_SETS),
  copies: oneOf(['shown', 'hidden']),
  irrelevant: oneOf(['shown', 'hidden']),
  order: oneOf(CHUNK_ORDERS),
  limit: wholeNumber(LISTED_CHUNKS_RANGE),
  offset: wholeNumber(LISTED_OFFSET_RANGE),
  points: wholeNumber(MAP_POINTS_RANGE),
  line: wholeNumber({ min: 1, max: 10_000_000 }),
  a: VECTOR,
  b: VECTOR,
} as const satisfies Record<string, Rule>;

function textWith(accepts: (text: string) => boolean, must: string): Rule {
  return { accepts: (value) => isText(value) && accepts(value), must };
}

function isPath(text: string): boolean {
  return text.trim() !== '' && !text.includes('\0');
}

function isFolderName(text: string): boolean {
  return /^[^/\\\0]{1,255}$/.test(text) && !/^\.\.?$/.test(text);
}

function isListOfPaths(value: unknown): boolean {
  if (!isListOf((path) => isText(path) && isPath(path))(value)) return false;
  const { length } = value as readonly unknown[];
  return 1 <= length && length <= PROJECTS_MAX;
}

function isListOfTags(value: unknown): boolean {
  return isListOf(isTag)(value) && (value as readonly unknown[]).length <= TAGS_MAX;
}

function isTag(value: unknown): boolean {
  return isText(value) && onOneLine(value) !== '' && value.length <= TAG_MAX_CHARACTERS;
}

function isVectorLike(value: unknown): boolean {
  if (!(value instanceof Float32Array) && !Array.isArray(value)) return false;
  return Array.from(value as ArrayLike<unknown>).every(
    (entry) => typeof entry === 'number' && Number.isFinite(Math.fround(entry)),
  );
}
