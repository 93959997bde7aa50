import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hybridApi } from '../../../src/adapters/http/routes/hybrid-api.js';
import {
  type FakeKnowledgeStore,
  fakeKnowledgeStore,
  hybridServices,
} from '../../fakes/fake-knowledge-store.js';
import { postJson, type ServedApi, serveApi } from '../../support/served-api.js';

const P = '/project';

let store: FakeKnowledgeStore;
let api: ServedApi;

afterEach(() => api.close());

/** What each route returns, `test/unit/docs/docs-api.test.ts` compares with its description. */
describe('the hybrid API', () => {
  beforeEach(async () => {
    store = fakeKnowledgeStore();
    api = await serveApi(hybridApi(hybridServices(store)));
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
      { method: 'search', args: [P, 'x', { ...options, neverIndexed: 'leave' }] },
    ]);
  });

  test('does not count a search that is only explained', async () => {
    await api.post('/x/explain', { projectPath: P, query: 'x', maxResults: 2 });
    expect(store.calls).toEqual([
      {
        method: 'search',
        args: [P, 'x', { maxResults: 2, retrievals: 'uncounted', copies: 'hidden' }],
      },
    ]);
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

  test('tries a compaction or a prune without doing it where dryRun says so', async () => {
    await api.post('/x/compact', { projectPath: P, category: 'gotchas', threshold: 10 });
    await api.post('/x/compact', { projectPath: P, category: 'gotchas', dryRun: true });
    await api.post('/x/prune', { projectPath: P, dryRun: false });
    await api.post('/x/prune', { projectPath: P, dryRun: true });
    const methods = ['compactCategory', 'previewCompaction', 'pruneWithReport', 'previewPrune'];
    expect(store.calls.map((call) => call.method)).toEqual(methods);
    expect(store.calls[0]?.args).toEqual([P, 'gotchas', 10]);
  });
});
