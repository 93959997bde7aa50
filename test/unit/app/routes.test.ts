import { beforeEach, expect, it } from 'vitest';
import { hybridApi } from '../../../src/app/routes/hybrid-api.js';
import { pathFields } from '../../../src/app/routes/route.js';
import { ANSWER, CITATION_REPORT, FULL_CHUNK, STATS } from '../../fakes/fake-answers.js';
import { type FakeService, fakeService } from '../../fakes/fake-service.js';

const PROJECT = { projectPath: '/project' };
const QUESTION = { ...PROJECT, query: 'locks' };

/** As a response shows them. */
const { id, sourceFile, sourceType, heading, content, tags, importance } = FULL_CHUNK;
const FIRST = { id, sourceFile, sourceType, heading, content, tags, importance };
const SECOND = { id: 'docs/a.md#1', sourceFile, sourceType, content, importance };
const RESULTS = [
  { chunk: FIRST, score: -1.5 },
  { chunk: SECOND, score: -0.5 },
];
const { url: _none, ...BREAKDOWN } = STATS.sourceTypeBreakdown;
const SHOWN_STATS = { ...STATS, sourceTypeBreakdown: BREAKDOWN };

let service: FakeService;

beforeEach(() => {
  service = fakeService();
});

async function request(method: string, path: string, fields: object): Promise<unknown> {
  const route = hybridApi(service).find(
    (one) => one.method === method && one.path === `/api/knowledge/${path}`,
  );
  if (route === undefined) throw new Error(`There is no route ${method} ${path}.`);
  return route.handle(fields);
}

it('a search returns the chunks as specified, without citations', async () => {
  expect(await request('POST', 'search', QUESTION)).toEqual({
    status: 200,
    body: { results: RESULTS, retrieval_mode: 'bm25', totalTokens: 8 },
  });
  const args = [{ ...QUESTION, neverIndexed: 'leave' }];
  expect(service.calls).toEqual([{ method: 'search.search', args }]);
});

it('a search explains its results if it is asked to', async () => {
  expect(await request('POST', 'search', { ...QUESTION, explain: true })).toEqual({
    status: 200,
    body: {
      results: RESULTS,
      retrieval_mode: 'bm25',
      totalTokens: 8,
      explain: expect.objectContaining({ match: '"some"', candidates: { anyWord: 2 } }),
    },
  });
  expect(service.calls.map(({ method }) => method)).toEqual(['search.answer']);
});

it.each([
  [{}, {}],
  [{ counted: true }, {}],
  [{ counted: false }, { retrievals: 'uncounted' }],
])('a search counts a retrieval unless told otherwise: %j', async (counted, retrievals) => {
  await request('POST', 'search', { ...QUESTION, ...counted });
  const args = [{ ...QUESTION, ...retrievals, neverIndexed: 'leave' }];
  expect(service.calls).toEqual([{ method: 'search.search', args }]);
});

it('a search for people says where the results are, and explains them if it is asked to', async () => {
  const body = {
    results: [
      { ...RESULTS[0], ...CITATION_REPORT, scope: 'project', line: 3 },
      { ...RESULTS[1], scope: 'project', line: 4 },
    ],
    weak: false,
    leftOut: 0,
    retrieval_mode: 'bm25',
    totalTokens: 8,
  };
  expect(await request('POST', 'x/search', QUESTION)).toEqual({ status: 200, body });
  expect(await request('POST', 'x/search', { ...QUESTION, explain: true })).toEqual({
    status: 200,
    body: { ...body, explain: expect.objectContaining({ match: '"some"' }) },
  });
});

it('statistics say that no search needs a model, unless the store says otherwise', async () => {
  const { enabledHybridRetrieval, ...rest } = STATS;
  expect(await request('GET', 'stats', PROJECT)).toEqual({ status: 200, body: SHOWN_STATS });
  Object.assign(service.status, { stats: async () => rest });
  expect(await request('GET', 'stats', PROJECT)).toEqual({
    status: 200,
    body: { ...SHOWN_STATS, enabledHybridRetrieval: false },
  });
});

it('a rebuild returns the statistics of the new index', async () => {
  Object.assign(service.indexing, {
    rebuild: (...args: unknown[]) => service.answer('indexing.rebuild', args, undefined),
  });
  expect(await request('POST', 'rebuild', PROJECT)).toEqual({ status: 200, body: SHOWN_STATS });
  const calls = ['indexing.rebuild', 'status.stats'].map((method) => ({ method, args: [PROJECT] }));
  expect(service.calls).toEqual(calls);
});

it.each([
  ['reflections', 'reflections'],
  ['agent-outputs', 'agentOutputs'],
])('ingest/%s indexes this kind of source alone', async (path, group) => {
  Object.assign(service.indexing, {
    group: (...args: unknown[]) => service.answer('indexing.group', args, 4),
  });
  expect(await request('POST', `ingest/${path}`, PROJECT)).toEqual({
    status: 200,
    body: { indexed: 4 },
  });
  expect(service.calls).toEqual([{ method: 'indexing.group', args: [PROJECT, group] }]);
});

it('similar chunks have distinct texts', async () => {
  const copies = ANSWER.results.map((result) => ({ ...result }));
  const results = [...ANSWER.results, ...copies];
  Object.assign(service.search, { similar: async () => ({ results }) });
  expect(await request('POST', 'x/similar', { ...PROJECT, text: 'locks' })).toEqual({
    status: 200,
    body: { results: [{ ...RESULTS[0], ...CITATION_REPORT }, RESULTS[1]] },
  });
});

it('the lessons of a finished feature are learnings on the wire', async () => {
  const fields = { ...PROJECT, featureId: 'login' };
  expect(await request('POST', 'x/features/complete', fields)).toEqual({
    status: 200,
    body: { learnings: 3, added: 2, duplicates: 1, categories: ['gotchas'], compacted: [] },
  });
});

it('stale chunks are listed', async () => {
  expect(await request('GET', 'x/stale', PROJECT)).toEqual({ status: 200, body: { chunks: [] } });
});

it('what a route creates has status 201', async () => {
  const note = { ...PROJECT, title: 'A note', content: 'Some text.', force: true };
  expect(await request('POST', 'x/notes', note)).toMatchObject({ status: 201 });
});

it.each([
  ['/api/knowledge/stats', []],
  ['/api/knowledge/x/notes/{id}', ['id']],
  ['/api/{first}/{second_field}', ['first', 'second_field']],
])('the fields in the path %s are %j', (path, fields) => {
  expect(pathFields(path)).toEqual(fields);
});

it('a route with a project may fail as any store may, in addition to its own errors', () => {
  const errorsOf = (path: string) =>
    hybridApi(service).find((one) => one.path.endsWith(path))?.errors;
  const common = ['invalid_request', 'path_not_allowed', 'project_not_found', 'schema_too_new'];
  const busy = ['store_unavailable', 'storage_full', 'overloaded'];
  expect(errorsOf('/stats')).toEqual([...common, ...busy]);
  expect(errorsOf('/x/lessons')).toEqual([...common, ...busy, 'not_found']);
  expect(errorsOf('/x/search-projects')).toEqual(['store_unavailable', 'overloaded']);
});
