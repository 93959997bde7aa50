import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hybridApi } from '../../../src/app/routes/hybrid-api.js';
import { DOCUMENT_PATH_RULE } from '../../../src/domain/saved/saved-names.js';
import { FUSIONS } from '../../../src/domain/settings.js';
import { fakeService } from '../../fakes/fake-service.js';
import { postJson, type ServedApi, serveApi } from '../../support/served-api.js';

const store = fakeService();
let api: ServedApi;

beforeAll(async () => {
  api = await serveApi(hybridApi(store));
});
beforeEach(() => {
  store.calls.length = 0;
});
afterAll(() => api.close());

const RESULTS = 'maxResults must be a whole number from 1 to 1000.';
const TOKENS = 'maxTokens must be a whole number from 1 to 1,000,000.';
const PATH = 'projectPath must be the absolute path of a project directory.';
const FUSION = `fusion must be ${FUSIONS.map((name) => `"${name}"`).join(' or ')}.`;
const QUERY = 'query must be a non-blank string.';
const TYPES =
  'sourceTypes must be "all" or a list of file, reflection, agent_output, url, manual, generated.';
const DOCUMENT = `path ${DOCUMENT_PATH_RULE}.`;
const TAGS = 'tags must be a list of at most 64 tags of 1 to 100 characters.';
const FOLDER = 'featureId must be a folder name.';
const CATEGORY =
  'category must be at most 64 letters, digits, "_" and "-", and begin with a letter or digit.';

const NESTED = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
const HUGE = [
  NESTED,
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  JSON.stringify(Object.fromEntries(Array(50_000).fill(0).entries())),
];

/**
 * The route, a member of the body as JSON text, and the sentence that refuses it. What each rule refuses is tested at
 * its schema (test/unit/schemas/requests.test.ts).
 */
const REFUSED: readonly (readonly [string, string, string])[] = [
  ...['1e999', '-0', '9007199254740993', NESTED].map(
    (value) => ['/search', `"maxResults":${value}`, RESULTS] as const,
  ),
  ['/search', '"maxTokens":0', TOKENS],
  ...['null', '"/p\\u0000"', ...HUGE].map(
    (value) => ['/search', `"projectPath":${value}`, PATH] as const,
  ),
  ['/search', '"query":null', QUERY],
  ...['7', ...HUGE].map(
    (value) => ['/search', `"query":${value}`, 'query must be a string.'] as const,
  ),
  ...['"file"', ...HUGE].map((value) => ['/search', `"sourceTypes":${value}`, TYPES] as const),
  ...HUGE.map((value) => ['/search', `"tags":${value}`, TAGS] as const),
  ['/search', '"explain":"true"', 'explain must be true or false.'],
  ['/search', '"fusion":"toString"', FUSION],
  ['/x/features/complete', '"featureId":"../x"', FOLDER],
  ['/x/lessons', '"title":" "', 'title must be a non-blank string.'],
  ['/x/similar', '"text":""', 'text must be a non-blank string.'],
  ['/x/compact', '"category":"../x"', CATEGORY],
  ['/x/documents', '"path":"../a.md"', DOCUMENT],
  ['/x/prune', '"dryRun":0', 'dryRun must be true or false.'],
];

const CASES = REFUSED.map(([path, member, sentence]) => ({
  path,
  member,
  sentence,
  start: member.slice(0, 40),
}));

test.each(CASES)('refuses, on $path, $start', async ({ path, member, sentence }) => {
  const answer = await post(path, `{${BASES[path]},${member}}`);
  expect(answer).toEqual({
    status: 400,
    body: { success: false, error: sentence, code: 'invalid_request' },
  });
  expect(store.calls).toEqual([]);
});

const SEARCH = '"projectPath":"/p","query":"q"';

/** Bodies that are odd and must be served all the same. */
const SERVED: readonly (readonly [string, string])[] = [
  [
    'nulls for everything optional',
    `{${SEARCH},"maxResults":null,"sourceTypes":null,"explain":null}`,
  ],
  ...HUGE.map((value) => ['an unknown field', `{${SEARCH},"other":${value}}`] as const),
  ['__proto__ as a field', `{${SEARCH},"__proto__":{"maxResults":"x","query":7}}`],
  ['constructor and toString as fields', `{${SEARCH},"constructor":1,"toString":2}`],
  ['a field given twice, the last of which counts', `{"query":7,${SEARCH}}`],
  ['a lone surrogate', '{"projectPath":"/p","query":"a \\ud800 b"}'],
  ['a NUL in the query', '{"projectPath":"/p","query":"a \\u0000 b"}'],
  ['a query of a million characters', `{"projectPath":"/p","query":"${'q'.repeat(1_000_000)}"}`],
  ['an empty list of types', `{${SEARCH},"sourceTypes":[]}`],
  ['whole numbers with a point', `{${SEARCH},"maxResults":5.0,"maxTokens":1e3}`],
  ['a byte-order mark', `\ufeff{${SEARCH}}`],
];

test.each(SERVED)('serves %s', async (_name, body) => {
  expect((await post('/search', body)).status).toBe(200);
  expect(store.calls).toHaveLength(1);
});

test('hands text on that can be stored: lone surrogates are replaced', async () => {
  await post('/search', '{"projectPath":"/p","query":"a \\ud800 b"}');
  expect(store.calls[0]?.args[0]).toMatchObject({ query: 'a \ufffd b' });
});

test('hands each source type on once, however often it was named', async () => {
  const types = Array.from({ length: 50_000 }, () => '"file"').join();
  await post('/search', `{${SEARCH},"sourceTypes":[${types},"url"]}`);
  expect(store.calls[0]?.args[0]).toMatchObject({ sourceTypes: ['file', 'url'] });
});

test('refuses a list of 140,000 wrong types without being held up', async () => {
  const began = performance.now();
  const types = Array.from({ length: 140_000 }, (_, index) => index).join();
  expect((await post('/search', `{${SEARCH},"sourceTypes":[${types}]}`)).status).toBe(400);
  expect(performance.now() - began).toBeLessThan(5000);
});

/** The query of a GET, and the status of its answer. */
const QUERIES: readonly (readonly [string, number])[] = [
  ['?projectPath=/p', 200],
  ['?projectPath=%2Fp&other=1', 200],
  ['', 400],
  ['?', 400],
  ['?projectPath=', 400],
  ['?projectpath=/p', 400],
  ['?projectPath=/a&projectPath=/b', 400],
  ['?projectPath[]=/a', 400],
  ['?projectPath=/p%00', 400],
  ['?projectPath=%', 400],
  ['?projectPath=/%zz', 400],
  ['?projectPath=/%ff', 400],
  ['?__proto__=1&projectPath=/p', 200],
];

test.each(QUERIES)('answers GET /stats%s with %i', async (query, status) => {
  const answer = await fetch(`${api.url}/stats${query}`);
  expect(answer.status).toBe(status);
  expect(store.calls).toHaveLength(status === 200 ? 1 : 0);
});

test('decodes the query of a GET', async () => {
  await fetch(`${api.url}/stats?projectPath=/a+b%20%C3%A9%2B`);
  expect(store.calls[0]?.args).toEqual([{ projectPath: '/a b é+' }]);
});

/** What each route asks for; a later member of the same name wins. */
const BASES: Readonly<Record<string, string>> = {
  '/search': '"projectPath":"/p","query":"q"',
  '/x/lessons': '"projectPath":"/p","title":"t","description":"d"',
  '/x/similar': '"projectPath":"/p","text":"t"',
  '/x/features/complete': '"projectPath":"/p","featureId":"f"',
  '/x/compact': '"projectPath":"/p","category":"c"',
  '/x/prune': '"projectPath":"/p"',
  '/x/documents': '"projectPath":"/p","path":"a.md","content":"c"',
};

async function post(path: string, body: string) {
  const answer = await postJson(api.url + path, body);
  return { status: answer.status, body: await answer.json() };
}
