import { createHash } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createDocument } from '../../../src/adapters/http/openapi/create-document.js';
import { docsPage } from '../../../src/adapters/http/openapi/docs-page.js';
import { hybridApi } from '../../../src/adapters/http/routes/hybrid-api.js';
import { type Route, route } from '../../../src/adapters/http/routes/route.js';
import {
  HttpServer,
  type HttpServerOptions,
} from '../../../src/adapters/http/server/http-server.js';
import { FakeKnowledgeStore, hybridServices } from '../../fakes/fake-knowledge-store.js';
import { loopbackParts } from '../../support/served-api.js';

const store = new FakeKnowledgeStore();
const ROUTES = hybridApi(hybridServices(store));
const DOCUMENTS = ['/openapi.json', '/docs'];

let server: HttpServer | undefined;
afterEach(() => server?.close());

test('shows every route, and every link within it leads somewhere', async () => {
  const page = await (await fetch(`${await serve()}/docs`)).text();
  for (const { path, summary } of ROUTES) {
    expect(page).toContain(`<code>${path}</code>`);
    expect(page).toContain(summary.replaceAll("'", '&#39;'));
  }
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const targets = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, target]) => target);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(targets));
});

test('runs no script, loads nothing, and is allowed nothing but its own style', async () => {
  const answer = await fetch(`${await serve()}/docs`);
  const page = await answer.text();
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(page).not.toMatch(/<script|<link|<img| src=| style=| on\w+=|url\(|href=.https?:/);
});

test('shows a request with curl for every route, and what to send with a token', async () => {
  const page = await (await fetch(`${await serve()}/docs`)).text();
  expect(page.match(/<pre><code>curl /g)?.length).toBeGreaterThan(ROUTES.length);
  expect(page).toContain(
    '"$URL/api/knowledge/stats?projectPath=%2Fpath%2Fto%2Fproject"'.replaceAll('"', '&#34;'),
  );
  expect(page).toContain(
    '{"projectPath":"/path/to/project","query":"write lock"}'.replaceAll('"', '&#34;'),
  );
});

test('escapes everything that a description says', () => {
  const page = docsPage(
    createDocument({ routes: [routeThatSays('<b>"&\'`')], variant: '', access: 'open' }),
    '',
  );
  expect(page).toContain('&#60;b&#62;&#34;&#38;&#39;');
  expect(page).not.toContain('<b>');
});

test('shows the fields of objects inside objects and lists', () => {
  const page = docsPage(
    createDocument({ routes: [routeThatSays('x')], variant: '', access: 'open' }),
    '',
  );
  const names = [...page.matchAll(/<td><code>([^<]+)<\/code>/g)].map(([, name]) => name);
  expect(names.slice(0, 5)).toEqual(['given', 'part', 'part.size', 'list', 'list[].id']);
});

test.each(DOCUMENTS)('serves %s behind the guards and the token', async (path) => {
  const url = (await serve({ token: 'secret' })) + path;
  const authorization = { Authorization: 'Bearer secret' };
  expect((await fetch(url)).status).toBe(401);
  expect((await fetch(url, { headers: authorization })).status).toBe(200);
  const foreign = { ...authorization, Origin: 'http://evil.example' };
  expect((await fetch(url, { headers: foreign })).status).toBe(403);
});

test.each(DOCUMENTS)(
  'serves HEAD of %s, the same bytes each time, and no other method',
  async (path) => {
    const url = (await serve()) + path;
    const [first, second] = [await fetch(url), await fetch(url)];
    const text = await first.text();
    expect(await second.text()).toBe(text);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    const refused = await fetch(url, { method: 'POST', body: '{}' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  },
);

async function serve(changed: Partial<HttpServerOptions> = {}): Promise<string> {
  server = new HttpServer({ ...loopbackParts(ROUTES), ...changed });
  return server.listen();
}

function routeThatSays(text: string): Route {
  return route('POST /r', {
    summary: text,
    request: z.object({ given: z.string().describe(text) }),
    response: z.object({
      part: z.object({ size: z.int().describe(text) }).describe(text),
      list: z.array(z.object({ id: z.enum(['<b>']).describe(text) })).describe(text),
    }),
    handle: (_: unknown) => ({ part: { size: 1 }, list: [] }),
  }).servedBy(undefined);
}
