import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import {
  API_VERSION,
  createDocument,
  type OpenApiDocument,
} from '../../../src/adapters/http/openapi/document.js';
import { hybridApi } from '../../../src/app/routes/hybrid-api.js';
import type { Route } from '../../../src/app/routes/route.js';
import { searchOnlyApi } from '../../../src/app/routes/search-only-api.js';
import { fakeService } from '../../fakes/fake-service.js';
import { misfitsOf, operationsOf } from '../../support/documented-responses.js';
import { servedRaw } from '../../support/served-api.js';

const TOKEN = { Authorization: 'Bearer secret' };
const store = fakeService();
const PROBES = ['GET /health', 'GET /ready'];
const SERVICE_IDS = ['health', 'ready'];

const VARIANTS = [
  {
    variant: 'search-only',
    routes: searchOnlyApi(store),
    ids: ['search', 'stats', 'rebuild'],
    tags: ['Knowledge', 'Service'],
  },
  {
    variant: 'hybrid',
    routes: hybridApi(store),
    ids: [
      ...['search', 'stats', 'rebuild', 'ingestReflections', 'ingestAgentOutputs', 'find'],
      ...['searchProjects', 'lessons', 'similar', 'featuresComplete', 'compact'],
      ...['prune', 'status', 'urls', 'digests'],
      ...[
        'addNote',
        'listNotes',
        'getNote',
        'replaceNote',
        'changeNote',
        'deleteNote',
        'pushDocument',
      ],
      ...['reindex', 'sources', 'deleteSource', 'chunk', 'lines', 'stale'],
      ...['projects', 'chunks', 'sessions', 'doctor', 'import'],
    ],
    tags: ['Knowledge', 'Extensions', 'Service'],
  },
];

describe.each(VARIANTS)('the OpenAPI document of the $variant variant', (served) => {
  test('has exactly the routes that are served, and the probes', async () => {
    const { document } = await documentOf(served.routes);
    const names = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
    expect(names).toEqual([
      ...PROBES,
      ...served.routes.map((r) => `${r.method} ${r.path}`),
      'GET /metrics',
    ]);
  });

  test('gives operations the same names in every version', async () => {
    const { document } = await documentOf(served.routes);
    const ids = operationsOf(document).map(({ operationId }) => operationId);
    expect(ids).toEqual([...SERVICE_IDS, ...served.ids, 'metrics']);
    expect(document.tags.map(({ name }) => name)).toEqual(served.tags);
  });

  test.each(['open', 'token'] as const)(
    'is valid OpenAPI 3.1 where access is %s',
    async (access) => {
      const document = createDocument({ ...served, access });
      const validator = new Validator();
      expect(await validator.validate(structuredClone(document) as never)).toEqual({ valid: true });
      expect(validator.version).toBe('3.1');
    },
  );

  test('refers only to its own schemas, and has no unused one', async () => {
    const { document } = await documentOf(served.routes);
    const referred = [
      ...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g),
    ];
    const names = new Set(referred.map(([, name]) => name));
    expect([...names].toSorted()).toEqual(Object.keys(document.components.schemas));
  });
});

test('describes all errors with their statuses', () => {
  const { paths } = createDocument({ ...HYBRID, access: 'token' });
  expect(Object.keys(paths['/api/knowledge/search']?.post?.responses ?? {})).toEqual(
    [200, 400, 401, 403, 404, 408, 409, 413, 415, 431, 500, 503, 507].map(String),
  );
  expect(Object.keys(paths['/api/knowledge/stats']?.get?.responses ?? {})).toEqual(
    [200, 400, 401, 403, 404, 408, 409, 431, 500, 503, 507].map(String),
  );
  const { 503: busy } = paths['/api/knowledge/search']?.post?.responses ?? {};
  expect(Object.keys(busy?.headers ?? {})).toEqual(['Retry-After']);
});

test('lists the fields of a GET as parameters of the query', () => {
  const { paths } = createDocument({ ...HYBRID, access: 'open' });
  expect(paths['/api/knowledge/stats']?.get?.parameters).toEqual([
    {
      name: 'projectPath',
      in: 'query',
      required: true,
      description: 'Absolute path of the project.',
      schema: { type: 'string', minLength: 1 },
    },
  ]);
});

test('documents a body exactly where the service reads one', async () => {
  const { document, origin } = await documentOf(HYBRID.routes);
  for (const { method, path, requestBody } of operationsOf(document)) {
    const text = { headers: { 'Content-Type': 'text/plain' }, body: 'text' };
    const { status } = await fetch(origin + path, { method, ...(method !== 'GET' && text) });
    expect([method, path, status === 415]).toEqual([method, path, requestBody !== undefined]);
  }
});

test('finds a response that the document does not describe', () => {
  const misfitOf = misfitsOf(createDocument({ ...HYBRID, access: 'open' }));
  const sent = { method: 'POST', path: '/api/knowledge/ingest/reflections', headers: {} };
  const busy = { success: false, error: 'Busy.', code: 'store_unavailable' };
  expect(misfitOf({ ...sent, status: 200, body: { indexed: 1 } })).toBeUndefined();
  expect(misfitOf({ ...sent, status: 200, body: { indexed: 1, more: 1 } })).toContain('additional');
  expect(misfitOf({ ...sent, status: 418, body: {} })).toContain('status 418');
  expect(misfitOf({ ...sent, status: 503, body: busy })).toContain('Retry-After');
  expect(misfitOf({ ...sent, status: 400, body: busy })).toContain('code');
});

test('requires the token exactly where the service does', async () => {
  const { document, origin } = await documentOf(HYBRID.routes, 'secret');
  expect(document.security).toEqual([{ token: [] }]);
  const open = operationsOf(document).filter(({ security }) => security?.length === 0);
  expect(open.map(({ path }) => path)).toEqual(['/health', '/ready']);
  for (const { method, path, responses } of operationsOf(document)) {
    const { status } = await fetch(origin + path, { method });
    expect([path, status === 401]).toEqual([path, '401' in responses]);
  }
});

test('does not mention tokens if none is set', async () => {
  const { document } = await documentOf(HYBRID.routes);
  expect(document.security).toEqual([]);
  expect(document.components.securitySchemes).toBeUndefined();
  expect(JSON.stringify(document)).not.toContain('"401"');
});

test('has the version of the package', () => {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(text).version).toBe(API_VERSION);
});

const [, HYBRID = raise()] = VARIANTS;

function raise(): never {
  throw new Error('There is no such variant.');
}

async function documentOf(routes: readonly Route[], token?: string) {
  const { origin } = (await servedRaw({ routes, ...(token && { token }) })).url;
  const answer = await fetch(`${origin}/openapi.json`, { headers: TOKEN });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return { origin, document: (await answer.json()) as OpenApiDocument };
}
