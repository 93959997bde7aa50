import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hybridApi } from '../../../src/adapters/http/routes/hybrid-api.js';
import {
  BARE_KEYS,
  CITATION_REPORT,
  COMMON_STATS,
  FULL_CHUNK,
} from '../../fakes/fake-knowledge-answers.js';
import {
  type FakeKnowledgeStore,
  fakeKnowledgeStore,
  hybridServices,
} from '../../fakes/fake-knowledge-store.js';
import { postJson, type ServedApi, serveApi } from '../../support/served-api.js';

const P = '/project';
const COUNTS = { file: 2, reflection: 0, agent_output: 0, manual: 0, generated: 0 };

let store: FakeKnowledgeStore;
let api: ServedApi;

afterEach(() => api.close());

describe('the hybrid API', () => {
  beforeEach(async () => {
    store = fakeKnowledgeStore();
    api = await serveApi(hybridApi(hybridServices(store)));
  });

  test('responds to a search with short chunks, the mode and the tokens', async () => {
    const body = await api.post('/search', { projectPath: P, query: 'some', explain: false });
    const { projectPath, chunkIndex, createdAt, updatedAt, ...chunk } = FULL_CHUNK;
    expect(Object.keys(body)).toEqual(['results', 'retrieval_mode', 'totalTokens']);
    expect(body).toMatchObject({ retrieval_mode: 'bm25', totalTokens: 8 });
    expect(body.results[0]).toEqual({ chunk, score: -1.5 });
    expect(Object.keys(body.results[1].chunk).sort()).toEqual([...BARE_KEYS].sort());
  });

  test('explains a search only where it is asked to', async () => {
    const body = await api.post('/search', { projectPath: P, query: 'some', explain: true });
    expect(Object.keys(body)).toEqual(['results', 'retrieval_mode', 'totalTokens', 'explain']);
    expect(Object.keys(body.explain)).toEqual([
      'query',
      'mode',
      'candidates',
      'results',
      'budget',
      'notes',
    ]);
    expect(body.explain.results[0]).toEqual({
      id: 'docs/a.md#0',
      score: -1.5,
      keywordRank: 1,
      keywordScore: -1.5,
      tokens: 4,
      ...CITATION_REPORT,
    });
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
    expect(store.calls).toEqual([{ method: 'search', args: [P, 'x', options] }]);
  });

  test('explains a search that is not to be counted, with the relevance of each result', async () => {
    const body = await api.post('/x/explain', { projectPath: P, query: 'x', maxResults: 2 });
    expect(Object.keys(body)).toEqual(['results', 'retrieval_mode', 'totalTokens', 'explain']);
    expect(store.calls).toEqual([
      { method: 'search', args: [P, 'x', { maxResults: 2, retrievals: 'uncounted' }] },
    ]);
  });

  test('responds to stats and rebuild with the same stats of five source types', async () => {
    const stats = { ...COMMON_STATS, sourceTypeBreakdown: COUNTS, enabledHybridRetrieval: true };
    expect(await api.get(`/stats?projectPath=${P}`)).toEqual(stats);
    expect(await api.post('/rebuild', { projectPath: P })).toEqual(stats);
  });

  test('responds to an ingestion with the number of files', async () => {
    expect(await api.post('/ingest/reflections', { projectPath: P })).toEqual({ indexed: 3 });
    expect(await api.post('/ingest/agent-outputs', { projectPath: P })).toEqual({ indexed: 4 });
  });

  test('responds with short chunks to requests for lessons and similar chunks', async () => {
    const lessons = await api.post('/x/lessons', { projectPath: P, title: 'T', description: '' });
    const similar = await api.post('/x/similar', {
      projectPath: P,
      text: 'some',
      sourceFile: 'a.md',
    });
    expect(Object.keys(lessons)).toEqual(['section', 'source', 'results']);
    expect(Object.keys(similar)).toEqual(['results']);
    expect(Object.keys(lessons.results[1].chunk).sort()).toEqual([...BARE_KEYS].sort());
    expect(store.calls[0]?.args).toEqual([P, { title: 'T', description: '' }]);
    expect(store.calls[1]?.args).toEqual([P, 'some', 'a.md', undefined]);
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

  test('responds to the completion of a feature with its report', async () => {
    const body = await api.post('/x/features/complete', { projectPath: P, featureId: 'f-1' });
    expect(Object.keys(body)).toEqual([
      'learnings',
      'added',
      'duplicates',
      'categories',
      'compacted',
    ]);
  });

  test('tries a compaction or a prune without doing it where dryRun says so', async () => {
    await api.post('/x/compact', { projectPath: P, category: 'gotchas', threshold: 10 });
    await api.post('/x/compact', { projectPath: P, category: 'gotchas', dryRun: true });
    await api.post('/x/prune', { projectPath: P, dryRun: false });
    const dry = await api.post('/x/prune', { projectPath: P, dryRun: true });
    const methods = ['compactCategory', 'previewCompaction', 'pruneWithReport', 'previewPrune'];
    expect(store.calls.map((call) => call.method)).toEqual(methods);
    expect(store.calls[0]?.args).toEqual([P, 'gotchas', 10]);
    expect(Object.keys(dry)).toEqual(['deleted', 'chunks']);
    expect(dry.deleted).toBe(1);
  });

  test('shows what a compaction would write', async () => {
    const answer = await api.post('/x/compact/preview', { projectPath: P, category: 'gotchas' });
    expect(answer).toMatchObject({ compacted: false, before: 'Old.', after: 'New.' });
  });

  test('takes back a compaction', async () => {
    const answer = await api.post('/x/compact/restore', { projectPath: P, category: 'gotchas' });
    expect(answer).toEqual({ restored: true, tokensBefore: 13.5, tokensAfter: 130 });
    expect(store.calls).toMatchObject([{ method: 'restoreCategory', args: [P, 'gotchas'] }]);
  });

  test('responds with the status of vectors, questions and model', async () => {
    expect(await api.get(`/x/status?projectPath=${P}`)).toEqual({
      embeddings: { complete: 5, pending: 2 },
      hype: { complete: 1, pending: 6 },
      model: { name: 'some/model', state: 'ready' },
      indexing: 'running',
    });
  });
});
