import { once } from 'node:events';
import { get } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { probeRoutes } from '../../../src/adapters/http/server/probe-routes.js';
import { RequestLimit } from '../../../src/adapters/http/server/request-limit.js';
import { DEFAULT_SERVER_LIMITS } from '../../../src/adapters/http/server/server-limits.js';
import { hybridApi } from '../../../src/app/routes/hybrid-api.js';
import { type Route, route } from '../../../src/app/routes/route.js';
import { searchOnlyApi } from '../../../src/app/routes/search-only-api.js';
import { fakeService } from '../../fakes/fake-service.js';
import { QuietMonitor } from '../../fakes/quiet-monitor.js';
import { type ServedApi, serveApi } from '../../support/served-api.js';

let api: ServedApi;
afterEach(() => api?.close());

const RESPONSE = z.object({
  name: z.string(),
  note: z.string().optional(),
  parts: z.array(z.object({ id: z.number() })).optional(),
});

test('leaves out what the schema of the response does not list, at every depth', async () => {
  const part = { id: 1, secret: 'x' };
  await serve({ name: 'a', note: undefined, secret: 'x', parts: [part] });
  expect(await (await fetch(`${api.origin}/r`)).text()).toBe('{"name":"a","parts":[{"id":1}]}');
});

test.each([
  { name: 7 },
  { note: 'no name' },
  { name: 'a', note: null },
  { name: 'a', parts: [{ id: Number.NaN }] },
])('takes a response that its schema does not allow for a bug: %j', async (body) => {
  await serve(body);
  const answer = await fetch(`${api.origin}/r`);
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({ success: false, code: 'internal' });
  const [logged] = api.logger.entries.filter(({ level }) => level === 'error');
  expect(logged?.fields?.['error']).toMatchObject({ message: expect.stringContaining('schema') });
});

test.each(['*', '"a"'])('sends the whole body in spite of If-None-Match: %s', async (condition) => {
  await serve({ name: 'a' });
  const headers = { 'If-None-Match': condition };
  const [response] = await once(get(`${api.origin}/r`, { headers }), 'response');
  expect(response.statusCode).toBe(200);
  expect(response.headers['etag']).toBeUndefined();
  expect(await json(response)).toEqual({ name: 'a' });
});

const store = fakeService();
const ROUTES: readonly Route[] = [
  ...probeRoutes({
    variant: 'hybrid',
    requestLimit: new RequestLimit(DEFAULT_SERVER_LIMITS),
    monitor: new QuietMonitor(),
  }),
  ...searchOnlyApi(store),
  ...hybridApi(store),
];

test.each(ROUTES)('describes $method $path and each of its fields in full', (documented) => {
  expect(documented.summary).toMatch(/^[A-Z].*\.$/);
  for (const schema of [
    z.toJSONSchema(documented.request, { io: 'input' }),
    z.toJSONSchema(documented.response),
  ]) {
    expect(undescribed(schema)).toEqual([]);
  }
});

test('uses each schema name for one shape only', () => {
  const shapes = new Map<string, string>();
  const responses = ROUTES.flatMap(({ response, created }) => [response, created ?? response]);
  for (const response of responses) {
    for (const [name, shape] of Object.entries(z.toJSONSchema(response).$defs ?? {})) {
      expect(shapes.get(name) ?? JSON.stringify(shape)).toBe(JSON.stringify(shape));
      shapes.set(name, JSON.stringify(shape));
    }
  }
  expect(shapes.size).toBeGreaterThan(20);
});

async function serve(body: object): Promise<void> {
  const served = route('GET /r', {
    summary: 'Responds.',
    request: z.object({}),
    response: RESPONSE,
    handle: (_: unknown) => body as z.input<typeof RESPONSE>,
  });
  api = await serveApi([served.servedBy(undefined)]);
}

/** The paths of the properties without a description, in a JSON schema and its definitions. */
function undescribed(schema: unknown, path = ''): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = Object.entries((schema as { properties?: object }).properties ?? {})
    .filter(([, property]) => typeof property.description !== 'string')
    .map(([name]) => `${path}.${name}`);
  const below = Object.entries(schema).flatMap(([name, part]) =>
    undescribed(part, `${path}.${name}`),
  );
  return [...own, ...below];
}
