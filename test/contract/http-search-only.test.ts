import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HttpServer } from '../../src/adapters/http/http-server.js';
import type { Route } from '../../src/adapters/http/route.js';
import { searchOnlyApi } from '../../src/adapters/http/search-only-api.js';
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
const COUNTS = { file: 2, reflection: 0, agent_output: 0, url: 0, manual: 0, generated: 0 };
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

describe('the search-only API', () => {
  beforeEach(async () => {
    store = new FakeKnowledgeStore();
    await serve(searchOnlyApi({ store }));
  });

  test('has exactly the three routes of the specification', () => {
    expect(names(searchOnlyApi({ store }))).toEqual([
      'POST /search',
      'POST /stats',
      'POST /rebuild',
    ]);
  });

  test('answers a search with whole chunks, and leaves out what has no value', async () => {
    const body = await post('/search', { projectPath: P, query: 'some' });
    expect(Object.keys(body)).toEqual(['success', 'results']);
    expect(body.results[0]).toEqual({ chunk: FULL_CHUNK, score: -1.5 });
    expect(Object.keys(body.results[1].chunk).sort()).toEqual(
      [...BARE_KEYS, 'projectPath', 'chunkIndex', 'createdAt', 'updatedAt'].sort(),
    );
  });

  test.each(['/stats', '/rebuild'])(
    'answers %s with stats of all six source types',
    async (path) => {
      const body = await post(path, { projectPath: P });
      const stats = { ...STATS, sourceTypeBreakdown: COUNTS };
      expect(body).toEqual({ success: true, stats });
    },
  );

  test('reads all sources again before it answers a rebuild', async () => {
    await post('/rebuild', { projectPath: P });
    expect(store.calls.map((call) => call.method)).toEqual(['reindex', 'getStats']);
  });

  test('does not look at fields of the other variant, whatever they hold', async () => {
    const strange = { explain: 'yes', fusion: 7, candidates: [] };
    const body = await post('/search', { projectPath: P, query: 'some', ...strange });
    expect(Object.keys(body)).toEqual(['success', 'results']);
    expect(store.calls).toEqual([{ method: 'search', args: [P, 'some', {}] }]);
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
