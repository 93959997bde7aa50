import { beforeEach, describe, expect, it } from 'vitest';
import type { createLibrary } from '../../../src/app/library/library.js';
import { KnowledgeError } from '../../../src/domain/errors.js';
import { coreInMemory } from '../../support/core-in-memory.js';

/** The arguments of each method of the library, in their order. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  'store.initialize': ['projectPath'],
  'store.search': ['projectPath', 'store.search query', 'options'],
  'store.find': ['projectPath', 'store.search query', 'options'],
  'store.searchReflections': ['projectPath', 'query', 'maxResults'],
  'store.findSimilarChunks': ['projectPath', 'text', 'sourceFile', 'maxResults'],
  'store.ingestReflections': ['projectPath'],
  'store.ingestAgentOutputs': ['projectPath'],
  'store.reindex': ['projectPath'],
  'store.readAllSources': ['projectPath'],
  'store.rebuildIndex': ['projectPath'],
  'store.getStats': ['projectPath'],
  'store.getEmbeddingStatus': ['projectPath'],
  'store.getHypeStatus': ['projectPath'],
  'store.compactCategory': ['projectPath', 'categoryFile', 'threshold'],
  'store.previewCompaction': ['projectPath', 'categoryFile', 'threshold'],
  'store.pruneStaleChunks': ['projectPath'],
  'store.pruneWithReport': ['projectPath'],
  'store.previewPrune': ['projectPath'],
  'features.lessonsFor': ['projectPath', 'feature'],
  'features.completeFeature': ['projectPath', 'featureId'],
  'notes.addNote': ['projectPath', 'note'],
  'notes.replaceNote': ['projectPath', 'id', 'note'],
  'notes.changeNote': ['projectPath', 'id', 'changes'],
  'notes.deleteNote': ['projectPath', 'id', 'options'],
  'notes.listNotes': ['projectPath'],
  'notes.getNote': ['projectPath', 'id'],
  'sources.listSources': ['projectPath', 'sourceType'],
  'sources.readLines': ['projectPath', 'sourceFile'],
  'sources.linesOf': ['projectPath', 'ids'],
  'sources.deleteSource': ['projectPath', 'sourceFile'],
  'sources.getChunk': ['projectPath', 'chunk id'],
  'pages.savePage': ['projectPath', 'page'],
  'documents.pushDocument': ['projectPath', 'document'],
  'digests.makeDigest': ['projectPath', 'subject'],
  'citations.staleChunks': ['projectPath'],
  'overview.listChunks': ['projectPath', 'options'],
  'recovery.examine': ['projectPath'],
  'recovery.repair': ['projectPath'],
  'recovery.importDatabase': ['projectPath', 'database path'],
  'projectsSearch.searchProjects': ['projectPaths', 'query', 'options'],
  'embedder.embed': ['text'],
  'embedder.embedBatch': ['texts'],
  'embedder.cosineSimilarity': ['a', 'b'],
};

const NOTE_FIELDS = ['title', 'content', 'tags', 'importance', 'supersedes', 'expires'];
const SEARCH_OPTIONS = [
  ...['maxResults', 'maxTokens', 'minRelevance', 'sourceTypes', 'tags', 'fusion', 'candidates'],
  'includeSuperseded',
];

/** The fields of the methods that take an object; in two rows where they exclude each other. */
const OBJECTS: readonly (readonly [method: string, fields: readonly string[]])[] = [
  ['store.search', SEARCH_OPTIONS],
  ['projectsSearch.searchProjects', SEARCH_OPTIONS],
  ['features.lessonsFor', ['title', 'description', 'featureId', 'maxResults']],
  ['notes.addNote', [...NOTE_FIELDS, 'author', 'session', 'id', 'force']],
  ['notes.replaceNote', [...NOTE_FIELDS, 'ifVersion']],
  ['notes.changeNote', [...NOTE_FIELDS, 'ifVersion']],
  ['notes.deleteNote', ['ifVersion']],
  ['pages.savePage', ['url', 'tags', 'importance']],
  ['documents.pushDocument', ['path', 'content', 'tags', 'importance']],
  ['digests.makeDigest', ['category']],
  ['digests.makeDigest', ['epicId']],
  ['overview.listChunks', ['order', 'sourceType', 'sourceFile', 'limit', 'offset']],
];

const NO_TEXT = [1, true, null, {}, ['a'], () => 'a'];
const NO_OBJECT = [1, 'a', true, null, [], () => ({})];
const NO_COUNT = ['5', true, null, {}, [5], 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e9];
/** A number that can stand in the query of a URL may be a text. */
const NO_DIGITS = NO_COUNT.filter((value) => value !== '5');
const NO_FLAG = ['true', 1, null, {}];
const NO_SHARE = ['0.5', true, null, {}, -0.1, 1.1, Number.NaN, Number.POSITIVE_INFINITY];
const NO_NOTE_ID = ['', 7, '.hidden', '..', 'a/../b', 'a\0b', null];
const NO_VECTOR = ['ab', 5, null, {}, [1, '2'], [Number.NaN], [1e300], new Float64Array(2)];

/** A good value of each argument, and wrong ones. */
const VALUES: Readonly<Record<string, readonly [unknown, readonly unknown[]]>> = {
  projectPath: ['/p', [...NO_TEXT, '', ' ', '/p\0', undefined]],
  projectPaths: [['/p'], ['/p', 1, null, {}, [], [1], [''], Array(51).fill('/p')]],
  query: ['wal', NO_TEXT],
  'store.search query': ['wal', [...NO_TEXT, '', '\n\t\u3000']],
  text: ['wal', NO_TEXT],
  texts: [['wal'], [1, 'wal', null, {}, [1], [null], new Array(2)]],
  title: ['A title', NO_TEXT],
  'documents.pushDocument title': ['A title', [...NO_TEXT, ' ', 'a'.repeat(1001)]],
  description: ['', NO_TEXT],
  sourceFile: ['a.md', NO_TEXT],
  categoryFile: ['gotchas', NO_TEXT],
  featureId: ['f-1', NO_TEXT],
  feature: [{ title: '', description: '' }, NO_OBJECT],
  options: [{}, NO_OBJECT],
  note: [{ title: 'A title', content: 'wal' }, NO_OBJECT],
  changes: [{ append: 'wal' }, NO_OBJECT],
  page: [{ url: 'https://a.example/' }, NO_OBJECT],
  document: [{ path: 'a.md', content: 'wal' }, NO_OBJECT],
  content: ['wal', NO_TEXT],
  'documents.pushDocument content': ['wal', [...NO_TEXT, ' ', 'a'.repeat(1_000_001)]],
  url: [
    'https://a.example/',
    ['ftp://a.example/', 'https://me@a.example/', 'a.example', `https://a/${'x'.repeat(2000)}`],
  ],
  path: ['a.md', [...NO_TEXT, '../a.md']],
  id: ['a-note', NO_NOTE_ID],
  expires: ['2026-12-31', [...NO_TEXT, '', '2026-02-30', '31.12.2026', 'tomorrow']],
  author: ['ada', [...NO_TEXT, ' ', 'a'.repeat(501)]],
  session: ['s-1', [...NO_TEXT, ' ', 'a'.repeat(501)]],
  ifVersion: ['0123456789abcdef', NO_TEXT],
  supersedes: ['a-note', NO_NOTE_ID],
  ids: [['a.md#0'], ['a.md#0', 1, null, {}, [1], [null]]],
  'chunk id': ['a.md#0', NO_TEXT],
  'database path': ['a.db', [...NO_TEXT, '', '\0']],
  tags: [['db'], ['db', 1, null, {}, [1], [null], [''], ['a'.repeat(101)], Array(65).fill('a')]],
  importance: [0.5, NO_SHARE],
  minRelevance: [0.5, NO_SHARE],
  force: [true, NO_FLAG],
  includeSuperseded: [true, NO_FLAG],
  sourceType: ['file', ['note', 1, null, {}, ['file']]],
  maxResults: [5, NO_COUNT],
  maxTokens: [5, NO_COUNT],
  threshold: [5, NO_COUNT],
  sourceTypes: ['all', ['file', 'none', 1, null, {}, ['files'], [null], new Array(1)]],
  fusion: ['rrf', ['RRF', 1, null, {}, ['rrf']]],
  candidates: ['union', ['all', 1, null, {}, ['union']]],
  subject: [{ category: 'gotchas' }, NO_OBJECT],
  category: ['gotchas', [...NO_TEXT, '', '../a', 'a'.repeat(65)]],
  epicId: ['e-1', [...NO_TEXT, '', 'a'.repeat(201)]],
  order: ['newest', ['NEWEST', 1, null, {}, ['newest']]],
  limit: [5, NO_DIGITS],
  offset: [5, NO_DIGITS.filter((value) => value !== 0)],
  points: [5, NO_DIGITS],
  name: ['monday', [...NO_TEXT, '', '../a', 'a-wal', 'a'.repeat(65)]],
  a: [[1, 0], NO_VECTOR],
  b: [new Float32Array([1, 0]), NO_VECTOR],
};

let core: ReturnType<typeof createLibrary>;
let opened: number;

beforeEach(() => {
  opened = 0;
  const resolve = async () => {
    opened += 1;
    throw new KnowledgeError('project_not_found', 'There is no directory at projectPath.');
  };
  const world = coreInMemory({ directories: { resolve, resolveFile: resolve } });
  core = world.library;
});

describe.each(Object.entries(METHODS))('%s', (method, names) => {
  const good = names.map(goodValue);

  it.each(names)('names %s if its value is wrong, and opens nothing', async (name) => {
    for (const wrong of valuesOf(name)[1]) {
      await expectRefusal(method, good.with(names.indexOf(name), wrong), name);
    }
    expect(opened).toBe(0);
  });

  it('takes good values', async () => {
    expect(await failureOf(method, good)).not.toMatchObject({ code: 'invalid_request' });
  });
});

describe.each(OBJECTS)('the object that %s takes, with %j', (method, names) => {
  const good = Object.fromEntries(names.map((name) => [name, goodValue(name)]));
  const before = (METHODS[method] ?? []).slice(0, -1).map(goodValue);

  it.each(names)('has %s checked too, before anything is opened', async (name) => {
    for (const wrong of valuesOf(name, method)[1]) {
      await expectRefusal(method, [...before, { ...good, [name]: wrong }], name);
    }
    expect(opened).toBe(0);
  });

  it('may hold good values', async () => {
    const failure = await failureOf(method, [...before, good]);
    expect(failure).not.toMatchObject({ code: 'invalid_request' });
    expect(opened).toBe(1);
  });
});

it('the table above has every method of the library', () => {
  const methods = Object.entries(core).flatMap(([service, methods]) =>
    Object.keys(methods).map((name) => `${service}.${name}`),
  );
  const checked = methods.filter((name) => !/\.(isReady|getModelStatus)$/.test(name));
  expect(checked.toSorted()).toEqual(Object.keys(METHODS).toSorted());
});

describe('an argument that may be left out', () => {
  it('may be undefined', async () => {
    const { store, features } = core;
    const calls = [
      store.search('/p', 'q', undefined),
      store.searchReflections('/p', 'q', undefined),
      store.findSimilarChunks('/p', 'q', undefined, undefined),
      store.compactCategory('/p', 'gotchas', undefined),
      features.lessonsFor('/p', { title: '', description: '' }),
    ];
    for (const call of calls)
      await expect(call).rejects.toHaveProperty('code', 'project_not_found');
  });
});

describe('cosineSimilarity', () => {
  it('takes plain lists and typed arrays alike', () => {
    expect(core.embedder.cosineSimilarity([3, 4], new Float32Array([4, 3]))).toBeCloseTo(0.96);
    expect(core.embedder.cosineSimilarity([0, 0], [1, 0])).toBe(0);
  });

  it('refuses vectors of different dimensions', () => {
    expect(() => core.embedder.cosineSimilarity([1], [1, 0])).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});

function valuesOf(name: string, method = ''): readonly [unknown, readonly unknown[]] {
  return VALUES[`${method} ${name}`] ?? VALUES[name] ?? [undefined, []];
}

function goodValue(name: string): unknown {
  return valuesOf(name)[0];
}

async function expectRefusal(method: string, args: readonly unknown[], name: string) {
  const error = await failureOf(method, args);
  expect([args, error]).toMatchObject([args, { code: 'invalid_request' }]);
  expect(error).toHaveProperty(
    'message',
    expect.stringMatching(RegExp(`^${name.split(' ').at(-1)} must .+\\.$`)),
  );
}

/** What a call fails with, from a caller whom no compiler corrects; an empty object where it does not. */
async function failureOf(path: string, args: readonly unknown[]): Promise<unknown> {
  const [service = '', method = ''] = path.split('.');
  const target = Reflect.get(core, service);
  try {
    await Reflect.apply(Reflect.get(target, method), target, args);
    return {};
  } catch (error) {
    return error;
  }
}
