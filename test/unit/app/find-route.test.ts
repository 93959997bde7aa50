import { expect, test } from 'vitest';
import { findRoute } from '../../../src/app/routes/find-route.js';
import { hybridRoutes } from '../../../src/app/routes/hybrid-api.js';

test.each([
  ['GET /api/knowledge/stats', '/api/knowledge/stats', {}],
  ['GET /api/knowledge/x/notes/{id}', '/api/knowledge/x/notes/{id}', {}],
  ['GET /api/knowledge/x/notes/write-lock', '/api/knowledge/x/notes/{id}', { id: 'write-lock' }],
  ['GET /api/knowledge/x/chunks/a%2Fb.md%230', '/api/knowledge/x/chunks/{id}', { id: 'a/b.md#0' }],
])('%s is a route', (name, path, fields) => {
  const found = findRoute<{ method: string; path: string }>(hybridRoutes, name);
  expect(found?.route.path).toBe(path);
  expect(found?.fields).toEqual(fields);
});

test.each([
  'GET /api/knowledge/x/notes/',
  'GET /api/knowledge/x/notes/a/b',
  'GET /api/knowledge/x/notes/{other}',
  'TRACE /api/knowledge/stats',
  'GET',
  '',
])('%j is none', (name) => {
  expect(findRoute<{ method: string; path: string }>(hybridRoutes, name)).toBeUndefined();
});

test('a client may repeat requests that only read', () => {
  const repeatable = hybridRoutes.filter(({ repeats }) => repeats === 'safely');
  expect(repeatable.map(({ path }) => path.replace('/api/knowledge/', '')).sort()).toEqual([
    'search',
    'x/lessons',
    'x/search',
    'x/search-projects',
    'x/similar',
  ]);
});
