import { expect, test, vi } from 'vitest';
import { postJson, servedRaw } from '../../support/served-api.js';

test('serves metrics as text, for GET and HEAD only', async () => {
  const { origin } = (await servedRaw()).url;
  const response = await fetch(`${origin}/metrics`);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await response.text()).toBe('knowledge_requests_in_progress 0\n');
  expect((await fetch(`${origin}/metrics`, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(405);
});

test('counts requests by route, never by a name from the client', async () => {
  const { url, monitor } = await servedRaw();
  const { origin } = url;
  await postJson(`${origin}/api/knowledge/search`, '{"projectPath":"/secret","query":"secret"}');
  await (await fetch(`${origin}/secret/${Math.PI}`)).text();
  await (await fetch(`${origin}/health?secret=1`, { method: 'PROPFIND' })).text();
  // They are counted once their connection is done with them.
  await vi.waitUntil(() => monitor.requests.length === 3);
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
  const { url } = await servedRaw();
  const response = await fetch(new URL('/health', url), { headers: { 'X-Request-Id': sent } });
  const id = response.headers.get('x-request-id');
  if (kept === undefined) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  else expect(id).toBe(kept);
});
