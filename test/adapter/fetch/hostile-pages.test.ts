import type { ServerResponse } from 'node:http';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpPageFetcherOptions } from '../../../src/adapters/fetch/http-page-fetcher.js';
import { localFetcher, WebServer } from '../../support/web-server.js';

const HTML = { 'Content-Type': 'text/html' };
const MEGABYTE = Buffer.alloc(1024 * 1024, 'alpaca ');
/** Ten times this is a gigabyte. */
const BOMB = Buffer.alloc(103 * 1024 * 1024);

let web: WebServer;
afterEach(() => web.stop());

describe('a page that is too large', () => {
  it('is left alone as soon as that is known, though it never ends', async () => {
    let written = 0;
    let close: () => void = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    await start((response) => {
      response.writeHead(200, HTML).once('close', close);
      const writeMore = () => {
        if (response.destroyed) return;
        written += 1;
        response.write(MEGABYTE, writeMore);
      };
      writeMore();
    });
    await expect(fetchPage()).rejects.toThrow(/larger than 10 MB/);
    await closed;
    expect(written).toBeLessThan(40);
  });

  it('is not even begun if it says so', async () => {
    const gigabyte = String(1024 ** 3);
    await start((response) => {
      response.writeHead(200, { ...HTML, 'Content-Length': gigabyte }).write(MEGABYTE);
    });
    await expect(fetchPage()).rejects.toMatchObject({ code: 'not_readable' });
  });

  it.each([
    ['gzip', () => Buffer.concat(Array(10).fill(gzipSync(BOMB)))],
    ['deflate', () => deflateSync(BOMB)],
    ['br', () => brotliCompressSync(BOMB, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])('is one that only decompresses to a large one: %s', async (encoding, compressed) => {
    const bomb = compressed();
    expect(bomb.length).toBeLessThan(1_100_000);
    await start((response) => {
      response.writeHead(200, { ...HTML, 'Content-Encoding': encoding }).end(bomb);
    });
    const before = process.memoryUsage().rss;
    await expect(fetchPage()).rejects.toThrow(/larger than 10 MB/);
    expect(process.memoryUsage().rss - before).toBeLessThan(80 * 1024 * 1024);
  });
});

describe('a slow server', () => {
  it.each<readonly [string, (response: ServerResponse) => void]>([
    ['never responds', () => {}],
    ['never ends', (response) => void response.writeHead(200, HTML).write('<p>a')],
    [
      'drips',
      (response) => {
        response.writeHead(200, HTML);
        const timer = setInterval(() => response.write('a'), 10);
        response.once('close', () => clearInterval(timer));
      },
    ],
  ])('is not waited for if it %s', async (_, answer) => {
    await start(answer);
    await expect(fetchPage({ timeoutMs: 200 })).rejects.toThrow(/within 0.2 seconds/);
  });
});

it('redirects that are slow one by one are not waited for longer than one page', async () => {
  let asked = 0;
  await start((response) => {
    asked += 1;
    setTimeout(() => response.writeHead(302, { Location: '/again' }).end(), 120);
  });
  await expect(fetchPage({ timeoutMs: 300 })).rejects.toThrow(/within 0.3 seconds/);
  expect(asked).toBeLessThan(4);
});

describe('what cannot be fetched', () => {
  it.each([
    ['a missing page', 404, {}, ''],
    ['a broken server', 500, {}, ''],
    ['a page that nobody asked to compare', 304, {}, ''],
    ['a redirect to nowhere', 302, {}, ''],
    ['a compression that nobody knows', 200, { ...HTML, 'Content-Encoding': 'zstd, aes' }, 'x'],
    ['data that is not compressed', 200, { ...HTML, 'Content-Encoding': 'gzip' }, 'x'],
  ])('is %s', async (_, status, headers, body) => {
    await start((response) => response.writeHead(status, headers).end(body));
    await expect(fetchPage()).rejects.toMatchObject({ code: 'fetch_failed' });
  });
});

describe('what cannot be read', () => {
  it.each([
    ['an image', 'image/png', 'x'],
    ['something of an unknown type', undefined, '\u0001\u0002'],
    ['an empty page', 'text/html', ''],
    ['a page of scripts', 'text/html', '<script>text</script>'],
    ['an empty text', 'text/plain', ' \n\u200b'],
    ['a PDF', 'application/pdf', '%PDF-1.4 and nothing'],
    ['deep nesting', 'text/html', '<div>'.repeat(100_000)],
    ['too many elements', 'text/html', '<i>a</i>'.repeat(60_000)],
  ])('is %s', async (_, type, body) => {
    await start((response) => {
      response.writeHead(200, type === undefined ? {} : { 'Content-Type': type }).end(body);
    });
    await expect(fetchPage()).rejects.toMatchObject({ code: 'not_readable' });
  });

  it('is a page that keeps a parser busy, while everything else continues', async () => {
    await start((response) => response.writeHead(200, HTML).end('<'.repeat(3_000_000)));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 10);
    await expect(fetchPage({ readingTimeoutMs: 1000 })).rejects.toThrow(/too long to read/);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(30);
  });
});

describe('a thread that ends without an answer', () => {
  it.each([
    [
      'needs too much memory',
      'const all = []; for (;;) all.push(new Array(1e6).fill(0.5));',
      /memory/,
    ],
    ['throws', "throw new Error('no package')", /the thread that reads pages failed/],
    ['only ends', '', /the thread that reads pages failed/],
  ])('is told apart: it %s', async (_, script, message) => {
    await start((response) => response.writeHead(200, HTML).end('<p>Some text.'));
    const workerFile = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
    const failure = await fetchPage({ workerFile }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'not_readable',
      message: expect.stringMatching(message),
    });
  });

  it('says why in the log', async () => {
    await start((response) => response.writeHead(200, HTML).end('<p>Some text.'));
    const workerFile = new URL("data:text/javascript,throw new Error('no package')");
    await expect(fetchPage({ workerFile })).rejects.toMatchObject({
      cause: { message: 'no package' },
    });
  });
});

it('a fifth page at the same time is refused', async () => {
  await start(() => {});
  const fetcher = localFetcher({ timeoutMs: 300 });
  const waiting = [1, 2, 3, 4].map(() => fetcher.fetch(web.url()).catch(() => 'late'));
  await expect(fetcher.fetch(web.url())).rejects.toMatchObject({ code: 'overloaded' });
  expect(await Promise.all(waiting)).toEqual(Array(4).fill('late'));
  await expect(fetcher.fetch(web.url())).rejects.toMatchObject({ code: 'fetch_failed' });
});

it('fetching ends when the service stops', async () => {
  await start(() => {});
  const stop = new AbortController();
  const fetched = fetchPage({ stop: stop.signal });
  stop.abort();
  await expect(fetched).rejects.toMatchObject({ code: 'fetch_failed' });
});

async function start(answer: (response: ServerResponse) => void): Promise<void> {
  web = await WebServer.start((_, response) => answer(response));
}

function fetchPage(options: HttpPageFetcherOptions = {}) {
  return localFetcher(options).fetch(web.url());
}
