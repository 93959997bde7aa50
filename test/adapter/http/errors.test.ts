import { afterEach, beforeEach, expect, test } from 'vitest';
import { HttpError, type WireCode } from '../../../src/adapters/http/server/http-error.js';
import { hybridApi } from '../../../src/app/routes/hybrid-api.js';
import { type ErrorCode, KnowledgeError } from '../../../src/domain/errors.js';
import { type FakeService, fakeService } from '../../fakes/fake-service.js';
import { allowUndescribedResponses } from '../../support/every-response.js';
import { type ServedApi, serveApi } from '../../support/served-api.js';

let store: FakeService;
let api: ServedApi;

beforeEach(async () => {
  store = fakeService();
  api = await serveApi(hybridApi(store));
});
afterEach(() => api.close());

/** Of the errors that the service itself throws. */
const DOMAIN_STATUSES: Readonly<Record<Exclude<ErrorCode, 'internal'>, number>> = {
  invalid_request: 400,
  secret_found: 400,
  path_not_allowed: 403,
  not_found: 404,
  project_not_found: 404,
  category_not_found: 404,
  conflict: 409,
  changed: 409,
  schema_too_new: 409,
  store_unavailable: 503,
  model_unavailable: 503,
  overloaded: 503,
  storage_full: 507,
  fetch_not_allowed: 403,
  not_readable: 422,
  fetch_failed: 502,
};

/** Of the errors that only HTTP knows. */
const WIRE_STATUSES: Readonly<Record<WireCode, number>> = {
  unauthorized: 401,
  host_not_allowed: 403,
  origin_not_allowed: 403,
  method_not_allowed: 405,
  too_large: 413,
  unsupported_media_type: 415,
};

const OPTIONS = { cause: new Error('SQL') };

const ERRORS: readonly (readonly [number, KnowledgeError | HttpError])[] = [
  ...Object.entries(DOMAIN_STATUSES).map(
    ([code, status]) =>
      [status, new KnowledgeError(code as ErrorCode, 'A sentence.', OPTIONS)] as const,
  ),
  ...Object.entries(WIRE_STATUSES).map(
    ([code, status]) => [status, new HttpError(code as WireCode, 'A sentence.', OPTIONS)] as const,
  ),
];

test.each(ERRORS.map(([status, error]) => ({ status, error, code: error.code })))(
  'responds to $code with $status and its sentence',
  async ({ status, error, code }) => {
    allowUndescribedResponses();
    store.failWith(error);
    const answer = await api.search();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '5' : null);
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    expect(await answer.json()).toEqual({ success: false, error: 'A sentence.', code });
    expect(api.logger.messages('error')).toEqual([]);
  },
);

test.each([
  new KnowledgeError('internal', 'SELECT secret FROM /home'),
  new TypeError('SELECT secret FROM /home'),
  'SELECT secret FROM /home',
])('says nothing of a bug, and logs it whole: %s', async (error) => {
  store.failWith(error);
  const answer = await api.search();
  const sentence = 'The service failed because of a bug; its log has the details.';
  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({ success: false, error: sentence, code: 'internal' });
  expect(api.logger.entries.find(({ level }) => level === 'error')?.fields).toEqual({
    error,
    requestId: answer.headers.get('x-request-id'),
  });
});

/** A request that no route takes, or that none can read. */
const UNSERVED: readonly (readonly [string, string, number, string, string | null])[] = [
  ['GET', '/', 404, 'not_found', null],
  ['GET', '/api/knowledge', 404, 'not_found', null],
  ['POST', '/API/knowledge/search', 404, 'not_found', null],
  ['POST', '/api/knowledge/%73earch', 404, 'not_found', null],
  ['POST', '/api/knowledge/%zz', 404, 'not_found', null],
  ['GET', '/%', 404, 'not_found', null],
  ['GET', '/api/knowledge/x/chunks/%zz?projectPath=/p', 400, 'invalid_request', null],
  ['OPTIONS', '/nope', 404, 'not_found', null],
  ['GET', '/api/knowledge/search', 405, 'method_not_allowed', 'POST'],
  ['GET', '/api/knowledge/search/', 405, 'method_not_allowed', 'POST'],
  ['PUT', '/api/knowledge/search', 405, 'method_not_allowed', 'POST'],
  ['OPTIONS', '/api/knowledge/search', 405, 'method_not_allowed', 'POST'],
  ['POST', '/api/knowledge/stats', 405, 'method_not_allowed', 'GET, HEAD'],
  ['DELETE', '/health', 405, 'method_not_allowed', 'GET, HEAD'],
];

test.each(UNSERVED)('answers %s %s with %i', async (method, path, status, code, allow) => {
  const answer = await fetch(api.origin + path, { method });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('allow')).toBe(allow);
  expect(await answer.json()).toMatchObject({ success: false, code });
});

test.each([
  ['HEAD', '/health', 200],
  ['HEAD', '/health/', 200],
  ['HEAD', '/api/knowledge/stats?projectPath=/p', 200],
  ['HEAD', '/api/knowledge/stats', 400],
  ['HEAD', '/api/knowledge/search', 405],
  ['HEAD', '/nope', 404],
])('answers %s %s with %i and no body', async (method, path, status) => {
  const answer = await fetch(api.origin + path, { method });
  expect(answer.status).toBe(status);
  expect(await answer.text()).toBe('');
});

test('sends the same safe headers with success and failure', async () => {
  for (const answer of [await fetch(`${api.origin}/health`), await fetch(`${api.origin}/nope`)]) {
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    for (const name of ['x-powered-by', 'etag', 'server'])
      expect(answer.headers.has(name)).toBe(false);
  }
});

test('logs route, status and time of a request, and nothing that it holds', async () => {
  await api.search({ body: JSON.stringify({ projectPath: '/canary', query: 'canary' }) });
  await fetch(`${api.origin}/canary?canary`);
  await api.close();
  const logged = { requestId: expect.any(String), ms: expect.any(Number) };
  expect(api.logger.entries.map(({ level, fields }) => [level, fields])).toEqual([
    ['debug', { ...logged, method: 'POST', route: '/api/knowledge/search', status: 200 }],
    ['debug', { ...logged, method: 'GET', route: 'none', status: 404 }],
  ]);
});
