import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hybridApi } from '../../../src/app/routes/hybrid-api.js';
import { type FakeService, fakeService } from '../../fakes/fake-service.js';
import { postJson, type ServedApi, serveApi } from '../../support/served-api.js';

const P = '/project';

let store: FakeService;
let api: ServedApi;

afterEach(() => api.close());

/** What each route returns, `test/unit/docs/docs-api.test.ts` compares with its description. */
describe('the hybrid API', () => {
  beforeEach(async () => {
    store = fakeService();
    api = await serveApi(hybridApi(store));
  });

  test('hands every option of a search to the store, and nothing else', async () => {
    const options = { maxResults: 1000, maxTokens: 1, sourceTypes: ['url'], fusion: 'blend' };
    await api.post('/search', {
      projectPath: P,
      query: 'x',
      ...options,
      candidates: null,
      other: 1,
    });
    expect(store.calls).toEqual([
      {
        method: 'search.search',
        args: [{ projectPath: P, query: 'x', ...options, neverIndexed: 'leave' }],
      },
    ]);
  });

  test.each([
    [{}, 'counted'],
    [{ counted: false }, 'uncounted'],
  ])('counts a search for people unless told otherwise: %j', async (counted, retrievals) => {
    await api.post('/x/search', { projectPath: P, query: 'x', maxResults: 2, ...counted });
    const args = { projectPath: P, query: 'x', maxResults: 2, ...counted, retrievals };
    expect(store.calls[0]).toEqual({ method: 'search.read', args: [args] });
  });

  test.each([
    ['/x/notes', { title: 'T', content: 'c', force: true }, 201],
    ['/x/notes', { title: 'T', content: 'c' }, 200],
    ['/x/urls', { url: 'https://example.org' }, 201],
    ['/x/documents', { path: 'a.md', content: 'c' }, 201],
    ['/x/digests', { category: 'api' }, 200],
  ])(
    'responds on %s to %j with %i, by whether something was made',
    async (path, fields, status) => {
      const body = JSON.stringify({ projectPath: P, ...fields });
      expect((await postJson(api.url + path, body)).status).toBe(status);
    },
  );
});
