import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { searchOnlyApi } from '../../../src/adapters/http/routes/search-only-api.js';
import { BARE_KEYS, COMMON_STATS, FULL_CHUNK } from '../../fakes/fake-knowledge-answers.js';
import { type FakeKnowledgeStore, fakeKnowledgeStore } from '../../fakes/fake-knowledge-store.js';
import { routeNames, type ServedApi, serveApi } from '../../support/served-api.js';

const P = '/project';
const COUNTS = { file: 2, reflection: 0, agent_output: 0, url: 0, manual: 0, generated: 0 };

let store: FakeKnowledgeStore;
let api: ServedApi;

afterEach(() => api.close());

describe('the search-only API', () => {
  beforeEach(async () => {
    store = fakeKnowledgeStore();
    api = await serveApi(searchOnlyApi({ store }));
  });

  test('has exactly the three specified routes', () => {
    expect(routeNames(searchOnlyApi({ store }))).toEqual([
      'POST /search',
      'POST /stats',
      'POST /rebuild',
    ]);
  });

  test('responds to a search with full chunks, without absent fields', async () => {
    const body = await api.post('/search', { projectPath: P, query: 'some' });
    expect(Object.keys(body)).toEqual(['success', 'results']);
    expect(body.results[0]).toEqual({ chunk: FULL_CHUNK, score: -1.5 });
    expect(Object.keys(body.results[1].chunk).sort()).toEqual(
      [...BARE_KEYS, 'projectPath', 'chunkIndex', 'createdAt', 'updatedAt'].sort(),
    );
  });

  test.each(['/stats', '/rebuild'])(
    'answers %s with stats of all six source types',
    async (path) => {
      const body = await api.post(path, { projectPath: P });
      const stats = { ...COMMON_STATS, sourceTypeBreakdown: COUNTS };
      expect(body).toEqual({ success: true, stats });
    },
  );

  test('reads all sources again before it responds to a rebuild', async () => {
    await api.post('/rebuild', { projectPath: P });
    expect(store.calls.map((call) => call.method)).toEqual(['reindex', 'getStats']);
  });

  test('ignores fields of the other variant, even invalid ones', async () => {
    const strange = { explain: 'yes', fusion: 7, candidates: [] };
    const body = await api.post('/search', { projectPath: P, query: 'some', ...strange });
    expect(Object.keys(body)).toEqual(['success', 'results']);
    expect(store.calls).toEqual([{ method: 'search', args: [P, 'some', {}] }]);
  });
});
