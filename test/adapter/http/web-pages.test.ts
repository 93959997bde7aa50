import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { webPages } from '../../../src/adapters/http/console/web-pages.js';
import type { HttpServerOptions } from '../../../src/adapters/http/server/http-server.js';
import { hybridApi } from '../../../src/app/routes/hybrid-api.js';
import { fakeService } from '../../fakes/fake-service.js';
import { servedRaw } from '../../support/served-api.js';

const BUILT = fileURLToPath(new URL('../../../dist/console', import.meta.url));
const ROUTES = hybridApi(fakeService());

describe.each(['/openapi.json', '/docs'])('%s', (path) => {
  test('is served behind the guards and the token', async () => {
    const url = (await serve({ token: 'secret' })) + path;
    const authorization = { Authorization: 'Bearer secret' };
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: authorization })).status).toBe(200);
    const foreign = { ...authorization, Origin: 'http://evil.example' };
    expect((await fetch(url, { headers: foreign })).status).toBe(403);
  });

  test('has a HEAD, the same bytes each time, and no other method', async () => {
    const url = (await serve()) + path;
    const [first, second] = [await fetch(url), await fetch(url)];
    const text = await first.text();
    expect(await second.text()).toBe(text);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    const refused = await fetch(url, { method: 'POST', body: '{}' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

test.each(['/', '/docs'])('%s runs and loads only what the service itself has', async (path) => {
  const url = await serve();
  const page = await fetch(url + path);
  const text = await page.text();
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';.* trusted-types 'none'$/,
  );
  expect(text).not.toMatch(/<script(?![^>]* src=)|style=| on\w+=|https?:/);
  const files = assetsOf(text);
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) {
    const asset = await fetch(url + file);
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect(asset.headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test.each(['console', 'docs'] as const)('the %s is open at / even with a token', async (start) => {
  const url = await serve({ token: 'secret', webPages: await webPages(BUILT, start) });
  const text = await (await fetch(url)).text();
  expect(text.includes('<title>API')).toBe(start === 'docs');
  const foreign = { 'Sec-Fetch-Site': 'cross-site' };
  expect((await fetch(url, { headers: foreign })).status).toBe(403);
});

test('a page with a slash at the end leads to the one without, where it finds its files', async () => {
  const url = await serve();
  const { status, headers } = await fetch(`${url}/docs/`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([308, '../docs']);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  const page = await fetch(`${url}/docs/`);
  expect([page.url, await page.text()]).toEqual([`${url}/docs`, expect.stringContaining('API')]);
});

test('other pages are also served with a slash', async () => {
  const url = await serve();
  const [file = ''] = assetsOf(await (await fetch(url)).text());
  expect((await fetch(`${url}${file}/`)).status).toBe(200);
});

function assetsOf(html: string): readonly string[] {
  return [...html.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(([, file = '']) => file);
}

async function serve(changed: Partial<HttpServerOptions> = {}): Promise<string> {
  const pages = await webPages(BUILT, 'console');
  return (await servedRaw({ routes: ROUTES, webPages: pages, ...changed })).url.origin;
}
