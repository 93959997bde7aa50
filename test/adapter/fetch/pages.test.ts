import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localFetcher, WebServer } from '../../support/web-server.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const HTML = { 'Content-Type': 'text/html; charset=utf-8' };
const TEXT = 'Alpacas are camelids, similar to llamas, and often confused with them. ';

let web: WebServer;
let answers: Map<string, Answer>;
let asked: IncomingMessage[];

beforeEach(async () => {
  [answers, asked] = [new Map(), []];
  web = await WebServer.start((request, response) => {
    asked.push(request);
    const answer = answers.get(request.url ?? '') ?? ((_, missing) => missing.writeHead(404).end());
    answer(request, response);
  });
});
afterEach(() => web.stop());

describe('a page', () => {
  it('is its title and its main text as markdown', async () => {
    serve('/', ARTICLE);
    const page = await localFetcher().fetch(web.url());
    expect(page).toMatchObject({ title: 'Alpacas' });
    const { markdown } = page as { markdown: string };
    expect(markdown).toContain('## Origin\n\nAlpacas are camelids');
    expect(markdown).toContain(`[llamas](${web.url('/wiki/llamas')})`);
    expect(markdown).toContain('```\nlet snake_case = 1;\n```');
    expect(markdown).toContain('Name | Weight\nHuacaya | 70 kg');
    expect(markdown).not.toMatch(/menu|cookies|alert|data:|\u200b|javascript/);
  });

  it.each([
    ['no html, head or body tags', '<!doctype html><title>T</title><p>Short text.', 'Short text.'],
    ['nothing but words', 'Only words here', 'Only words here'],
    ['text that looks like markdown', '<p># no heading</p><p>a_b</p>', '\\# no heading\n\na_b'],
  ])('may have %s', async (_, html, markdown) => {
    serve('/', html);
    expect(await localFetcher().fetch(web.url())).toMatchObject({ markdown });
  });

  it('has the host and the path as its title if it has none', async () => {
    serve('/a/b?c', '<p>Some text.</p>');
    const page = await localFetcher().fetch(web.url('/a/b?c'));
    expect(page).toMatchObject({ title: `web.example:${web.port}/a/b` });
  });

  it.each([
    ['the header', { 'Content-Type': 'text/html; charset=Shift_JIS' }, ''],
    ['a meta element', { 'Content-Type': 'text/html' }, '<meta charset="shift_jis">'],
    [
      'an http-equiv element',
      { 'Content-Type': 'text/html' },
      '<meta http-equiv="Content-Type" content="text/html; charset=x-sjis">',
    ],
  ])('may be in Shift-JIS, by %s', async (_, headers, meta) => {
    const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]);
    const html = Buffer.concat([Buffer.from(`${meta}<p>`), japanese, Buffer.from('</p>')]);
    serve('/', html, headers);
    expect(await localFetcher().fetch(web.url())).toMatchObject({ markdown: '日本語' });
  });

  it.each([
    ['windows-1252 without saying so', Buffer.from('<p>caf\xe9</p>', 'latin1'), 'café'],
    ['UTF-8 without saying so', Buffer.from('<p>café</p>'), 'café'],
    ['UTF-16', Buffer.from('\ufeff<p>café</p>', 'utf16le'), 'café'],
    ['an encoding that nobody knows', Buffer.from('<meta charset=x-odd><p>café</p>'), 'café'],
  ])('may be in %s', async (_, bytes, markdown) => {
    serve('/', bytes, { 'Content-Type': 'text/html' });
    expect(await localFetcher().fetch(web.url())).toMatchObject({ markdown });
  });

  it('may be plain text or markdown', async () => {
    serve('/', '---\nimportance: 1\n---\n# Locks\n\nUse WAL.', { 'Content-Type': 'text/plain' });
    const page = { title: 'Locks', markdown: 'Use WAL.' };
    expect(await localFetcher().fetch(web.url())).toMatchObject(page);
  });

  it('is requested without cookies, credentials or names of this machine', async () => {
    serve('/', `<p>${TEXT}</p>`);
    await localFetcher().fetch(web.url());
    expect(Object.keys(asked[0]?.headers ?? {}).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });
});

describe('a redirect', () => {
  it('is followed', async () => {
    redirect('/old', '/new');
    serve('/new', `<p>${TEXT}<a href="x">more</a></p>`);
    expect(await localFetcher().fetch(web.url('/old'))).toMatchObject({
      markdown: expect.stringContaining(web.url('/x')),
    });
  });

  it.each([
    'http://127.0.0.2/',
    'http://[::1]/',
    'http://localhost/',
    'http://0x7f.0.0.2/',
    '//169.254.169.254/latest/',
    'file:///etc/passwd',
    'http://user:secret@web.example/',
  ])('to %s is refused', async (location) => {
    redirect('/', location);
    await expect(localFetcher().fetch(web.url())).rejects.toMatchObject({
      code: 'fetch_not_allowed',
    });
  });

  it('is refused if the name has another address by then', async () => {
    const addresses = [['127.0.0.1'], ['127.0.0.2']];
    const resolve = async () => addresses.shift() ?? expect.unreachable('asked once more');
    redirect('/', '/again');
    await expect(localFetcher({ resolve }).fetch(web.url())).rejects.toMatchObject({
      code: 'fetch_not_allowed',
    });
    expect(asked).toHaveLength(1);
  });

  it('may not go round in circles', async () => {
    redirect('/', '/');
    await expect(localFetcher().fetch(web.url())).rejects.toThrow(/redirects more than 5 times/);
    expect(asked).toHaveLength(6);
  });
});

it('a name is resolved once for a connection, which leads to the address that was checked', async () => {
  const answered = [['127.0.0.1'], ['127.0.0.2']];
  const resolve = async () => answered.shift() ?? [];
  serve('/', `<p>${TEXT}</p>`);
  const fetcher = localFetcher({ resolve });
  await expect(fetcher.fetch(web.url())).resolves.toMatchObject({ markdown: TEXT.trim() });
  await expect(fetcher.fetch(web.url())).rejects.toMatchObject({ code: 'fetch_not_allowed' });
});

function serve(
  path: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = HTML,
): void {
  answers.set(path, (_, response) => {
    response.writeHead(200, { ...headers, 'Content-Encoding': 'gzip' });
    response.end(gzipSync(body));
  });
}

function redirect(path: string, location: string): void {
  answers.set(path, (_, response) => response.writeHead(302, { Location: location }).end());
}

const ARTICLE = `<html><head><title>Alpacas</title><script>alert(1)</script></head><body>
<nav><a href="/a">menu</a> <a href="/b">menu</a></nav>
<article><h2>Origin</h2><p>${TEXT.repeat(4)}\u200b See <a href="wiki/llamas">llamas</a>
and <a href="javascript:alert(2)">this</a>.</p><p>${TEXT.repeat(4)}</p>
<img src="data:image/png;base64,AAAA" alt="">
<table><tr><th>Name</th><th>Weight</th></tr><tr><td>Huacaya</td><td>70 kg</td></tr></table>
<pre><code>let snake_case = 1;</code></pre></article>
<footer>cookies</footer></body></html>`;
