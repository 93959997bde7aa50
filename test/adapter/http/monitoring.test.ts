import { afterEach, beforeEach, expect, test } from 'vitest';
import { searchOnlyApi } from '../../../src/adapters/http/routes/search-only-api.js';
import { HttpServer } from '../../../src/adapters/http/server/http-server.js';
import { type FakeService, fakeService } from '../../fakes/fake-service.js';
import { QuietMonitor } from '../../fakes/quiet-monitor.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { loopbackParts, postJson } from '../../support/served-api.js';

let monitor: QuietMonitor;
let logger: SilentLogger;
let store: FakeService;
let server: HttpServer;
let origin: string;

beforeEach(async () => {
  [monitor, logger, store] = [new QuietMonitor(), new SilentLogger(), fakeService()];
  const parts = loopbackParts(searchOnlyApi(store));
  server = new HttpServer({ ...parts, monitor, logger });
  origin = await server.listen();
});
afterEach(() => server.close());

test('serves metrics as text, for GET and HEAD only', async () => {
  const response = await fetch(`${origin}/metrics`);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await response.text()).toBe('knowledge_requests_in_progress 0\n');
  expect((await fetch(`${origin}/metrics`, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(405);
});

test('counts requests by route, never by what a client made up', async () => {
  await postJson(`${origin}/api/knowledge/search`, '{"projectPath":"/secret","query":"secret"}');
  await (await fetch(`${origin}/secret/${Math.PI}`)).text();
  await (await fetch(`${origin}/health?secret=1`, { method: 'PATCH' })).text();
  await eventuallyServed(3);
  expect(monitor.requests.map(({ method, route, status }) => [method, route, status])).toEqual([
    ['POST', '/api/knowledge/search', 200],
    ['GET', 'none', 404],
    ['other', '/health', 405],
  ]);
});

test.each([
  ['abc-123_4.5:6', 'abc-123_4.5:6'],
  ['two words', undefined],
  ['x'.repeat(129), undefined],
  ['{"a":1}', undefined],
])('keeps the id of a client if it is sane: %s', async (sent, kept) => {
  const response = await fetch(`${origin}/health`, { headers: { 'X-Request-Id': sent } });
  const id = response.headers.get('x-request-id');
  if (kept === undefined) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  else expect(id).toBe(kept);
});

/** Requests are counted once their connection is done with them. */
async function eventuallyServed(count: number): Promise<void> {
  while (monitor.requests.length < count) await new Promise((resolve) => setImmediate(resolve));
}
