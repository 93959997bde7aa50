import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { TcpNetConnectOpts } from 'node:net';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { AddressCheck } from './address-check.js';
import { fetchFailed, notReadable } from './readable-page.js';

/** The response of a server. */
export interface Download {
  /** The URL after redirects. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly bytes: Buffer;
}

/**
 * Downloads a URL. Follows redirects, and checks each target like the first URL.
 * @throws KnowledgeError `fetch_not_allowed`, `fetch_failed`, `not_readable`; errors of the connection unchanged
 */
export async function download(url: string, request: PageRequest): Promise<Download> {
  let target = new URL(url);
  for (let redirects = 0; redirects <= PAGE_MAX_REDIRECTS; redirects += 1) {
    request.addresses.checkUrl(target);
    const response = await sendRequest(target, request);
    try {
      const next = redirectTarget(response, target);
      if (next === undefined) return await readDownload(response, target);
      target = next;
    } finally {
      response.destroy();
    }
  }
  throw fetchFailed(`it redirects more than ${PAGE_MAX_REDIRECTS} times`);
}

const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

function redirectTarget({ statusCode, headers }: IncomingMessage, from: URL): URL | undefined {
  if (!REDIRECTS.has(statusCode)) return undefined;
  const { location } = headers;
  if (location !== undefined && URL.canParse(location, from.href)) return new URL(location, from);
  throw fetchFailed('it redirects without naming an address');
}

async function readDownload(response: IncomingMessage, { href }: URL): Promise<Download> {
  const { statusCode, headers } = response;
  if (statusCode !== 200) throw fetchFailed(`the server responded with ${statusCode}`);
  const bytes = await readBody(response, PAGE_MAX_BYTES);
  return { url: href, contentType: headers['content-type'], bytes };
}

interface PageRequest {
  readonly addresses: AddressCheck;
  /** Aborts the request, and the response while it is being read. */
  readonly signal: AbortSignal;
}

/**
 * Sends one GET and resolves with the response, whose body has not been read. Uses a new connection and no proxy, so
 * that the address that is checked is the one that is connected to.
 * @throws KnowledgeError `fetch_not_allowed`; errors of the connection unchanged
 */
function sendRequest(url: URL, { addresses, signal }: PageRequest): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http;
  const options: RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'> = {
    headers: HEADERS,
    signal,
    agent: false,
    lookup: addresses.lookup,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, options);
    sent.once('socket', (socket) => {
      socket.once('connect', () => {
        try {
          addresses.checkConnected(socket.remoteAddress);
        } catch (error) {
          sent.destroy(error instanceof Error ? error : undefined);
        }
      });
    });
    sent.once('response', resolve);
    sent.once('error', reject);
    sent.end();
  });
}

const HEADERS = {
  'User-Agent': 'knowledge-store',
  Accept: 'text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9',
  /** Encodings that {@link readBody} can decompress. */
  'Accept-Encoding': 'gzip, deflate, br',
};

/** How long to try one address of several, in milliseconds. Node's default of 250 ms is too short for a busy line. */
const ADDRESS_ATTEMPT_MS = 2000;

/**
 * The decompressed body of a response. Stops reading as soon as it is larger than `maxBytes`, so that
 * neither an endless page nor a small one that decompresses to gigabytes fills the memory.
 * @throws KnowledgeError `not_readable`, `fetch_failed`; errors of the stream unchanged
 */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const declared = Number(response.headers['content-length'] ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of decompress(response)) {
    length += part.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

const DECOMPRESSORS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Decompresses the body as a stream. Ending the iteration early also ends the response. */
function decompress(response: IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return response;
  const decompressor = Object.hasOwn(DECOMPRESSORS, encoding) ? DECOMPRESSORS[encoding] : undefined;
  if (decompressor === undefined) throw fetchFailed('its compression is not supported');
  return pipeline(response, decompressor(), ignore);
}

/** `pipeline` also passes an error on to the stream that it returns, where the iteration throws it. */
function ignore(): void {}

function tooLarge(maxBytes: number): Error {
  return notReadable(`it is larger than ${maxBytes / 1024 / 1024} MB`);
}

const PAGE_MAX_BYTES = 10 * 1024 * 1024;

/** Limits of a web page, which is untrusted (docs/operations.md, "Web pages"). */
const PAGE_MAX_REDIRECTS = 5;
