import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HttpServer } from '../../src/adapters/http/http-server.js';
import { hybridApi } from '../../src/adapters/http/hybrid-api.js';
import type { Route } from '../../src/adapters/http/route.js';
import { FakeKnowledgeStore } from '../fakes/fake-knowledge-store.js';
import { SilentLogger } from '../fakes/silent-logger.js';

const P = '/project';
const FULL_CHUNK = {
  id: 'docs/a.md#0',
  sourceType: 'file',
  sourceFile: 'docs/a.md',
  projectPath: P,
  chunkIndex: 0,
  heading: 'A heading',
  content: 'Some content.',
  tags: ['one', 'two'],
  importance: 0.5,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
};
const BARE_KEYS = ['id', 'sourceType', 'sourceFile', 'content', 'importance'];
const COUNTS = { file: 2, reflection: 0, agent_output: 0, manual: 0, generated: 0 };
const STATS = {
  totalChunks: 2,
  totalSizeBytes: 4096,
  uniqueSources: 1,
  lastUpdated: '2026-01-02T00:00:00.000Z',
  dbPath: '/project/.knowledge/knowledge.db',
};

let store: FakeKnowledgeStore;
let server: HttpServer;
let url: string;

afterEach(() => server.close());

describe('the hybrid API', () => {
  beforeEach(async () => {
    store = new FakeKnowledgeStore();
    await serve(hybridApi({ store, features: store }));
  });

  test('has exactly the five routes of the specification, and the extensions beside them', () => {
    expect(names(hybridApi({ store, features: store }))).toEqual([
      'POST /search',
      'GET /stats',
      'POST /rebuild',
      'POST /ingest/reflections',
      'POST /ingest/agent-outputs',
      'POST /x/lessons',
      'POST /x/similar',
      'POST /x/features/complete',
      'POST /x/compact',
      'POST /x/prune',
      'GET /x/status',
    ]);
  });

  test('answers a search with the small chunk, the mode and the tokens', async () => {
    const body = await post('/search', { projectPath: P, query: 'some', explain: false });
    const { projectPath, chunkIndex, createdAt, updatedAt, ...chunk } = FULL_CHUNK;
    expect(Object.keys(body)).toEqual(['results', 'retrieval_mode', 'totalTokens']);
    expect(body).toMatchObject({ retrieval_mode: 'bm25', totalTokens: 8 });
    expect(body.results[0]).toEqual({ chunk, score: -1.5 });
    expect(Object.keys(body.results[1].chunk).sort()).toEqual([...BARE_KEYS].sort());
  });

  test('explains a search only where it is asked to', async () => {
    const body = await post('/search', { projectPath: P, query: 'some', explain: true });
    expect(Object.keys(body)).toEqual(['results', 'retrieval_mode', 'totalTokens', 'explain']);
    expect(Object.keys(body.explain)).toEqual(['query', 'mode', 'candidates', 'results', 'budget']);
    expect(body.explain.results[0]).toEqual({
      id: 'docs/a.md#0',
      score: -1.5,
      keywordRank: 1,
      keywordScore: -1.5,
      tokens: 4,
    });
  });

  test('hands every option of a search to the store, and nothing else', async () => {
    const options = { maxResults: 1000, maxTokens: 1, sourceTypes: ['url'], fusion: 'blend' };
    await post('/search', { projectPath: P, query: 'x', ...options, candidates: null, other: 1 });
    expect(store.calls).toEqual([{ method: 'search', args: [P, 'x', options] }]);
  });

  test('answers stats and rebuild with the same stats of five source types', async () => {
    const stats = { ...STATS, sourceTypeBreakdown: COUNTS, enabledHybridRetrieval: true };
    expect(await get(`/stats?projectPath=${P}`)).toEqual(stats);
    expect(await post('/rebuild', { projectPath: P })).toEqual(stats);
  });

  test('answers an ingestion with the number of files', async () => {
    expect(await post('/ingest/reflections', { projectPath: P })).toEqual({ indexed: 3 });
    expect(await post('/ingest/agent-outputs', { projectPath: P })).toEqual({ indexed: 4 });
  });

  test('answers lessons and similar chunks with small chunks', async () => {
    const lessons = await post('/x/lessons', { projectPath: P, title: 'T', description: '' });
    const similar = await post('/x/similar', { projectPath: P, text: 'some', sourceFile: 'a.md' });
    expect(Object.keys(lessons)).toEqual(['section', 'source', 'results']);
    expect(Object.keys(similar)).toEqual(['results']);
    expect(Object.keys(lessons.results[1].chunk).sort()).toEqual([...BARE_KEYS].sort());
    expect(store.calls[0]?.args).toEqual([P, { title: 'T', description: '' }]);
    expect(store.calls[1]?.args).toEqual([P, 'some', { sourceFile: 'a.md' }]);
  });

  test('answers the end of a feature with its report', async () => {
    const body = await post('/x/features/complete', { projectPath: P, featureId: 'f-1' });
    expect(Object.keys(body)).toEqual([
      'learnings',
      'added',
      'duplicates',
      'categories',
      'compacted',
    ]);
  });

  test('tries a compaction or a prune without doing it where dryRun says so', async () => {
    await post('/x/compact', { projectPath: P, category: 'gotchas', threshold: 10 });
    await post('/x/compact', { projectPath: P, category: 'gotchas', dryRun: true });
    await post('/x/prune', { projectPath: P, dryRun: false });
    const dry = await post('/x/prune', { projectPath: P, dryRun: true });
    const methods = ['compactCategory', 'previewCompaction', 'pruneStaleChunks', 'previewPrune'];
    expect(store.calls.map((call) => call.method)).toEqual(methods);
    expect(store.calls[0]?.args).toEqual([P, 'gotchas', 10]);
    expect(Object.keys(dry)).toEqual(['deleted', 'chunks']);
    expect(dry.deleted).toBe(1);
  });

  test('answers the status of vectors, questions and model', async () => {
    expect(await get(`/x/status?projectPath=${P}`)).toEqual({
      embeddings: { complete: 5, pending: 2 },
      hype: { complete: 1, pending: 6 },
      model: { name: 'some/model', state: 'ready' },
    });
  });
});

async function serve(routes: readonly Route[]): Promise<void> {
  const logger = new SilentLogger();
  server = new HttpServer({ routes, host: '127.0.0.1', port: 0, variant: 'a variant', logger });
  url = `${await server.listen()}/api/knowledge`;
}

function names(routes: readonly Route[]): readonly string[] {
  return routes.map(({ method, path }) => `${method} ${path.replace('/api/knowledge', '')}`);
}

async function post(path: string, body: object) {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  return JSON.parse(await answer.text());
}

async function get(path: string) {
  const answer = await fetch(url + path);
  expect(answer.status).toBe(200);
  return JSON.parse(await answer.text());
}
