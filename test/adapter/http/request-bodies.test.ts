import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hybridApi } from '../../../src/app/routes/hybrid-api.js';
import { type FakeService, fakeService } from '../../fakes/fake-service.js';
import { type ServedApi, serveApi } from '../../support/served-api.js';

let store: FakeService;
let api: ServedApi;

beforeEach(async () => {
  store = fakeService();
  api = await serveApi(hybridApi(store));
});
afterEach(() => api.close());

/** The content type, and the status of a search that is sent with it. */
const TYPES: readonly (readonly [string, number])[] = [
  ['application/json', 200],
  ['application/json; charset=utf-8', 200],
  ['Application/JSON;Charset="UTF-8"', 200],
  ['application/json; profile="a;b"', 200],
  ['application/json;;', 200],
  ['application/json; x', 200],
  ['application/json; charset=utf-16', 415],
  ['application/json; charset=utf-99', 415],
  ['application/json; charset=latin1', 415],
  ['application/json; charset=', 415],
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['text/json, application/json', 415],
  ['application/jsonp', 415],
  ['', 415],
];

test.each(TYPES)('answers a body of type %j with %i', async (type, status) => {
  const answer = await api.search({ headers: { 'Content-Type': type } });
  expect(answer.status).toBe(status);
  expect(store.calls).toHaveLength(status === 200 ? 1 : 0);
});

const VALID = JSON.stringify({ projectPath: '/p', query: 'q' });
const padded = (bytes: number) => VALID + ' '.repeat(bytes - VALID.length);
const LIMIT = 1_048_576;

/** A body with its encoding, and the status of its answer. */
const BODIES: readonly (readonly [
  string,
  string | Buffer | undefined,
  string | undefined,
  number,
])[] = [
  ['no body', undefined, undefined, 400],
  ['an empty body', '', undefined, 400],
  ['blanks', '  ', undefined, 400],
  ['half of an object', '{"projectPath":', undefined, 400],
  ['an object and more', `${VALID}x`, undefined, 400],
  ['NaN', '{"maxResults":NaN}', undefined, 400],
  ['brackets, half a million deep', '['.repeat(500_000), undefined, 400],
  [
    'bytes that are not UTF-8',
    Buffer.from('{"projectPath":"/p","query":"\xff"}', 'latin1'),
    undefined,
    400,
  ],
  ['UTF-16', Buffer.from(VALID, 'utf16le'), undefined, 400],
  ['a body of exactly the limit', padded(LIMIT), undefined, 200],
  ['a body of one byte more', padded(LIMIT + 1), undefined, 413],
  ['gzip', gzipSync(VALID), 'gzip', 415],
  ['no encoding, by name', VALID, 'Identity', 200],
  ['an unknown encoding', VALID, 'compress', 415],
  ['an encoding twice', VALID, 'gzip, gzip', 415],
  ['an encoding like a member of objects', VALID, 'constructor', 415],
];

test.each(BODIES)('answers %s', async (_name, body, encoding, status) => {
  const headers = {
    'Content-Type': 'application/json',
    ...(encoding && { 'Content-Encoding': encoding }),
  };
  const answer = await api.search({ headers, ...(body === undefined ? { body: null } : { body }) });
  expect(answer.status).toBe(status);
  expect(Object.keys(JSON.parse(await answer.text()))).toHaveLength(3);
});

test.each(['[]', '[{}]', '7', 'null', '"query"', 'true'])(
  'refuses %s, which is no object',
  async (body) => {
    const answer = await api.search({ body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'The body must be a JSON object.' });
  },
);
