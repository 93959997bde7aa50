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

/**
 * A good value of each argument, and a wrong one: that each is checked. What each rule refuses is tested at its schema
 * (test/unit/schemas/requests.test.ts).
 */
const VALUES: Readonly<Record<string, readonly [good: unknown, wrong: unknown]>> = {
  projectPath: ['/p', undefined],
  projectPaths: [['/p'], []],
  query: ['wal', null],
  'store.search query': ['wal', ''],
  text: ['wal', 1],
  texts: [['wal'], [null]],
  title: ['A title', 1],
  description: ['', 1],
  sourceFile: ['a.md', 1],
  categoryFile: ['gotchas', 1],
  featureId: ['f-1', 1],
  feature: [{ title: '', description: '' }, null],
  options: [{}, null],
  note: [{ title: 'A title', content: 'wal' }, []],
  changes: [{ append: 'wal' }, 'wal'],
  page: [{ url: 'https://a.example/' }, () => ({})],
  document: [{ path: 'a.md', content: 'wal' }, 1],
  content: ['wal', 1],
  url: ['https://a.example/', 'a.example'],
  path: ['a.md', '../a.md'],
  id: ['a-note', '..'],
  expires: ['2026-12-31', 'tomorrow'],
  author: ['ada', ' '],
  session: ['s-1', ' '],
  ifVersion: ['0123456789abcdef', 1],
  supersedes: ['a-note', ''],
  ids: [['a.md#0'], [null]],
  'chunk id': ['a.md#0', 1],
  'database path': ['a.db', ''],
  tags: [['db'], ['']],
  importance: [0.5, 1.1],
  minRelevance: [0.5, '0.5'],
  force: [true, 'true'],
  includeSuperseded: [true, 1],
  sourceType: ['file', 'note'],
  maxResults: [5, '5'],
  maxTokens: [5, 0],
  threshold: [5, 1.5],
  sourceTypes: ['all', new Array(1)],
  fusion: ['rrf', 'RRF'],
  candidates: ['union', 'all'],
  subject: [{ category: 'gotchas' }, 1],
  category: ['gotchas', '../a'],
  epicId: ['e-1', ''],
  order: ['newest', 'NEWEST'],
  limit: [5, 0],
  offset: [5, -1],
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
    const [, wrong] = valuesOf(name);
    await expectRefusal(method, good.with(names.indexOf(name), wrong), name);
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
    const [, wrong] = valuesOf(name);
    await expectRefusal(method, [...before, { ...good, [name]: wrong }], name);
    expect(opened).toBe(0);
  });

  it('may hold good values', async () => {
    const failure = await failureOf(method, [...before, good]);
    expect(failure).not.toMatchObject({ code: 'invalid_request' });
    expect(opened).toBe(1);
  });
});

/** Without arguments, and the comparison of vectors, which is tested below. */
const ELSEWHERE = /\.(isReady|getModelStatus|cosineSimilarity)$/;

it('the table above has every method of the library', () => {
  const methods = Object.entries(core).flatMap(([service, methods]) =>
    Object.keys(methods).map((name) => `${service}.${name}`),
  );
  const checked = methods.filter((name) => !ELSEWHERE.test(name));
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
    const message = 'a and b must have the same dimensions.';
    expect(() => core.embedder.cosineSimilarity([1], [1, 0])).toThrow(
      expect.objectContaining({ code: 'invalid_request', message }),
    );
  });

  it.each(['ab', 5, null, {}, [1, '2'], [Number.NaN], [1e300], new Float64Array(2)])(
    'refuses %j as a vector',
    async (wrong) => {
      const method = 'embedder.cosineSimilarity';
      await expectRefusal(method, [wrong, [1, 0]], 'a');
      await expectRefusal(method, [[1, 0], wrong], 'b');
    },
  );
});

function valuesOf(name: string): readonly [good: unknown, wrong: unknown] {
  const values = VALUES[name];
  if (values === undefined) throw new Error(`There is no value for ${name}.`);
  return values;
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
