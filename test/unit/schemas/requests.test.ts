import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { checkFields } from '../../../src/schemas/checks.js';
import { textsRequest } from '../../../src/schemas/fields.js';
import { completeRequest, lessonsRequest, similarRequest } from '../../../src/schemas/lessons.js';
import { addNoteRequest } from '../../../src/schemas/notes.js';
import { chunkListRequest } from '../../../src/schemas/overview.js';
import { digestRequest, documentRequest, pageRequest } from '../../../src/schemas/saved.js';
import { projectsRequest, searchRequest } from '../../../src/schemas/search.js';
import { compactRequest, importRequest, pruneRequest } from '../../../src/schemas/upkeep.js';

const projectPath = '/p';
const SEARCH = { schema: searchRequest, rest: { projectPath, query: 'q' } };
const PROJECTS = { schema: projectsRequest, rest: { projectPaths: ['/p'], query: 'q' } };
const LESSONS = { schema: lessonsRequest, rest: { projectPath, title: 't' } };
const SIMILAR = { schema: similarRequest, rest: { projectPath, text: 't' } };
const FEATURE = { schema: completeRequest, rest: { projectPath, featureId: 'f' } };
const CATEGORY = { schema: compactRequest, rest: { projectPath, category: 'c' } };
const PRUNE = { schema: pruneRequest, rest: { projectPath } };
const NOTE = { schema: addNoteRequest, rest: { projectPath, title: 't', content: 'c' } };
const PAGE = { schema: pageRequest, rest: { projectPath, url: 'https://a.example/' } };
const DOCUMENT = { schema: documentRequest, rest: { projectPath, path: 'a.md', content: 'c' } };
const DIGEST = { schema: digestRequest, rest: { projectPath } };
const TEXTS = { schema: textsRequest, rest: {} };
const IMPORT = { schema: importRequest, rest: { projectPath, path: 'a.db' } };
const CHUNKS = { schema: chunkListRequest, rest: { projectPath } };

const NO_TEXT = [7, true, null, {}, ['a'], () => 'a'];
const BLANK = ['', ' ', '  \t\n ', '\u00a0', '\n\t\u3000'];
const NO_FLAG = ['true', 0, 1, null, {}];
const NO_SHARE = ['0.5', true, null, {}, -0.1, 1.1, Number.NaN, Number.POSITIVE_INFINITY];
/** Values that no range of whole numbers allows. */
const NO_COUNT = [
  ...[-1, 0.5, 1e20, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ...['', 'NaN', true, null, {}, [5]],
];
const NO_CATEGORY = ['../x', 'a/b', '.', '_a', '-a', 'a.md', 'a\n', 'é', '', 'c'.repeat(65)];
const NO_FOLDER = ['', '.', '..', 'a/b', '../x', 'a\\b', 'a\0', '/etc', 'f'.repeat(256)];
const CATEGORY_RULE =
  'must be at most 64 letters, digits, "_" and "-", and begin with a letter or digit';
const NOTE_REFERENCES = {
  wrong: ['', 7, '.hidden', '..', 'a/../b', 'a\0b', null],
  good: ['a-note'],
};

interface FieldRule {
  readonly of: Readonly<Record<'schema', z.ZodObject>> & { readonly rest: object };
  readonly field: string;
  /** The second half of the sentence that refuses a wrong value; absent: any. */
  readonly rule?: string;
  readonly wrong: readonly unknown[];
  readonly good: readonly unknown[];
}

/** Each rule once; the same field in other requests is the same schema. */
const RULES: readonly FieldRule[] = [
  {
    of: SEARCH,
    field: 'projectPath',
    rule: 'must be the absolute path of a project directory',
    wrong: [...NO_TEXT, ...BLANK, '/p\0'],
    good: ['/p', '/a b é'],
  },
  {
    of: SEARCH,
    field: 'query',
    rule: 'must be a non-blank string',
    wrong: BLANK,
    good: ['q', 'a \0 b', 'q'.repeat(1_000_000)],
  },
  { of: SEARCH, field: 'query', rule: 'must be a string', wrong: NO_TEXT, good: ['q'] },
  {
    of: SEARCH,
    field: 'maxResults',
    rule: 'must be a whole number from 1 to 1000',
    wrong: [...NO_COUNT, 0, -0, 1001, '5', Number.MAX_SAFE_INTEGER + 1],
    good: [1, 1000],
  },
  {
    of: SEARCH,
    field: 'maxTokens',
    rule: 'must be a whole number from 1 to 1,000,000',
    wrong: [...NO_COUNT, 0, 1_000_001, '8000'],
    good: [1, 1_000_000],
  },
  {
    of: SEARCH,
    field: 'sourceTypes',
    rule: 'must be "all" or a list of file, reflection, agent_output, url, manual, generated',
    wrong: [
      'file',
      ['file', 'nope'],
      [null],
      [['file']],
      {},
      1,
      null,
      'ALL',
      ['all'],
      new Array(1),
    ],
    good: ['all', [], ['file', 'generated']],
  },
  {
    of: SEARCH,
    field: 'tags',
    rule: 'must be a list of at most 64 tags of 1 to 100 characters',
    wrong: ['db', 1, null, {}, [1], [null], [''], ['a'.repeat(101)], Array(65).fill('a')],
    good: [[], ['a'.repeat(100)], Array(64).fill('a')],
  },
  {
    of: SEARCH,
    field: 'explain',
    rule: 'must be true or false',
    wrong: NO_FLAG,
    good: [true, false],
  },
  {
    of: SEARCH,
    field: 'includeSuperseded',
    rule: 'must be true or false',
    wrong: NO_FLAG,
    good: [true, false],
  },
  {
    of: SEARCH,
    field: 'fusion',
    rule: 'must be "rrf" or "blend"',
    wrong: ['sum', 'toString', 'RRF', 1, null, {}, ['rrf']],
    good: ['rrf', 'blend'],
  },
  {
    of: SEARCH,
    field: 'candidates',
    rule: 'must be "keyword" or "union"',
    wrong: ['all', 1, null, {}, ['union']],
    good: ['keyword', 'union'],
  },
  {
    of: SEARCH,
    field: 'minRelevance',
    rule: 'must be a number from 0 to 1',
    wrong: NO_SHARE,
    good: [0, 1],
  },
  {
    of: PROJECTS,
    field: 'projectPaths',
    rule: 'must be a list of 1 to 50 absolute paths of project directories',
    wrong: ['/p', 1, null, {}, [], [1], [''], ['/p\0'], Array(51).fill('/p')],
    good: [['/p'], Array(50).fill('/p')],
  },
  {
    of: FEATURE,
    field: 'featureId',
    rule: 'must be a folder name',
    wrong: [...NO_TEXT, ...NO_FOLDER],
    good: ['a', '...', '.a', 'x'.repeat(255)],
  },
  { of: LESSONS, field: 'featureId', rule: 'must be a folder name', wrong: ['/etc'], good: ['f'] },
  {
    of: LESSONS,
    field: 'title',
    rule: 'must be a non-blank string',
    wrong: BLANK,
    good: ['t'],
  },
  { of: LESSONS, field: 'description', rule: 'must be a string', wrong: NO_TEXT, good: ['', 'd'] },
  {
    of: SIMILAR,
    field: 'text',
    rule: 'must be a non-blank string',
    wrong: BLANK,
    good: ['t'],
  },
  {
    of: SIMILAR,
    field: 'sourceFile',
    rule: 'must be a string',
    wrong: NO_TEXT,
    good: ['', 'a.md'],
  },
  {
    of: CATEGORY,
    field: 'category',
    rule: CATEGORY_RULE,
    wrong: [...NO_TEXT, ...NO_CATEGORY],
    good: ['a', '7', 'a-b_c', 'c'.repeat(64)],
  },
  {
    of: CATEGORY,
    field: 'threshold',
    rule: 'must be a whole number from 1 to 10,000,000',
    wrong: [...NO_COUNT, 0, 10_000_001, '5'],
    good: [1, 10_000_000],
  },
  { of: CATEGORY, field: 'dryRun', rule: 'must be true or false', wrong: NO_FLAG, good: [true] },
  { of: PRUNE, field: 'dryRun', rule: 'must be true or false', wrong: NO_FLAG, good: [true] },
  {
    of: NOTE,
    field: 'title',
    rule: 'must be a non-blank string',
    wrong: BLANK,
    good: ['t'],
  },
  {
    of: NOTE,
    field: 'content',
    rule: 'must be a non-blank string',
    wrong: BLANK,
    good: ['c'],
  },
  { of: NOTE, field: 'id', ...NOTE_REFERENCES },
  { of: NOTE, field: 'supersedes', ...NOTE_REFERENCES },
  {
    of: NOTE,
    field: 'expires',
    rule: 'must be a day such as "2026-12-31"',
    wrong: [...NO_TEXT, '', '2026-02-30', '31.12.2026', 'tomorrow'],
    good: ['2026-12-31'],
  },
  {
    of: NOTE,
    field: 'author',
    wrong: [...NO_TEXT, ...BLANK, 'a'.repeat(501)],
    good: ['a'.repeat(500)],
  },
  { of: NOTE, field: 'session', wrong: [...NO_TEXT, ...BLANK, 'a'.repeat(501)], good: ['s'] },
  { of: NOTE, field: 'force', rule: 'must be true or false', wrong: NO_FLAG, good: [true] },
  {
    of: NOTE,
    field: 'importance',
    rule: 'must be a number from 0 to 1',
    wrong: NO_SHARE,
    good: [0, 1],
  },
  {
    of: PAGE,
    field: 'url',
    wrong: [
      ...[...NO_TEXT, '', 'ftp://a.example/', 'https://me@a.example/', 'a.example'],
      `https://a/${'x'.repeat(2000)}`,
    ],
    good: ['http://a.example/', 'https://a.example/b?c'],
  },
  {
    of: DOCUMENT,
    field: 'path',
    wrong: [...NO_TEXT, '', '/etc/passwd', '../a.md', 'a\\b.md'],
    good: ['a.md', 'handbook/on-call.md'],
  },
  {
    of: DOCUMENT,
    field: 'content',
    wrong: [...NO_TEXT, ...BLANK, 'a'.repeat(1_000_001)],
    good: ['a'.repeat(1_000_000)],
  },
  {
    of: DIGEST,
    field: 'epicId',
    rule: 'must be a text of 1 to 200 characters',
    wrong: [...NO_TEXT, '', 'a'.repeat(201)],
    good: ['e', 'a'.repeat(200)],
  },
  { of: IMPORT, field: 'path', wrong: [...NO_TEXT, ...BLANK, 'a\0'], good: ['a.db', '/a/b.db'] },
  {
    of: TEXTS,
    field: 'texts',
    rule: 'must be a list of strings',
    wrong: ['wal', 1, null, {}, [1], [null], new Array(2)],
    good: [[], ['wal', '']],
  },
  { of: CHUNKS, field: 'order', wrong: ['NEWEST', 1, null, {}, ['newest']], good: ['newest'] },
  { of: CHUNKS, field: 'sourceType', wrong: ['note', 1, null, {}, ['file']], good: ['file'] },
  { of: CHUNKS, field: 'limit', wrong: [...NO_COUNT, 0, 1e9], good: [1, '5'] },
  { of: CHUNKS, field: 'offset', wrong: NO_COUNT, good: [0, '5'] },
];

describe.each(RULES)('the field $field', ({ of: { schema, rest }, field, rule, wrong, good }) => {
  it(rule ?? 'must follow its rule', () => {
    const message = rule ? `${field} ${rule}.` : expect.stringMatching(`^${field} must .+\\.$`);
    const refusal = expect.objectContaining({ code: 'invalid_request', message });
    for (const value of wrong) {
      const check = () => checkFields(schema, { ...rest, [field]: value });
      expect(check, shown(value)).toThrow(refusal);
    }
  });

  it('may have other values', () => {
    for (const value of good) {
      const check = () => checkFields(schema, { ...rest, [field]: value });
      expect(check, shown(value)).not.toThrow();
    }
  });
});

function shown(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 40);
}
