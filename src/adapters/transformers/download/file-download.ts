import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Clock } from '../../../ports/driven/clock.js';

export interface DownloadTimeouts {
  /** Maximum wait for the start of a response. */
  readonly answerMs: number;
  /** Maximum wait between two parts of a body; the whole download may take any time. */
  readonly stallMs: number;
}

export interface FileDownload {
  readonly url: string;
  readonly target: string;
  /** A larger file is refused, if possible by its declared length before it is read. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly timeouts: DownloadTimeouts;
  readonly signal: AbortSignal;
  /** Called with the bytes received so far and, if the hub declares it, the length of the file. */
  readonly onProgress: (bytes: number, total: number | undefined) => void;
}

export interface DownloadedFile {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Downloads one file from a hub and flushes it to disk. Follows redirects, and verifies the length and
 * the digest if the hub declares them.
 * @throws Error with the reason; a partially written file is not removed
 */
export async function downloadFile(download: FileDownload): Promise<DownloadedFile> {
  const ending = new AbortController();
  const signal = AbortSignal.any([download.signal, ending.signal]);
  const handle = await open(download.target, 'w');
  try {
    const { response, digest } = await request(download, signal);
    const file = await save(response, handle, download);
    checkLength(response, file);
    checkDigest(digest, file);
    await handle.sync();
    return file;
  } finally {
    // Ends a response whose body is no longer read.
    ending.abort();
    await handle.close();
  }
}

const MAX_REDIRECTS = 5;

interface Answer {
  readonly response: Response;
  /** The SHA-256 that one of the responses declared. */
  readonly digest: string | undefined;
}

async function request(download: FileDownload, signal: AbortSignal): Promise<Answer> {
  let digest: string | undefined;
  let url = new URL(download.url);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await withTimeout(get(url, signal), {
      ms: download.timeouts.answerMs,
      clock: download.clock,
      message: 'the hub does not respond',
    });
    digest ??= declaredDigest(response, hop);
    const location = response.headers.get('location');
    if (response.ok) return { response, digest };
    if (location === null) throw refusal(response.status, url);
    url = redirected(url, location);
  }
  throw new Error('the hub redirects too often');
}

/** The hub does not have a file, or not for us; trying again would not help. */
export class HubRefusal extends Error {}

function refusal(status: number, { pathname }: URL): Error {
  const message = `the hub responds with ${status} for ${pathname}`;
  const isFinal = 400 <= status && status < 500 && status !== 408 && status !== 429;
  return isFinal ? new HubRefusal(message) : new Error(message);
}

function get(url: URL, signal: AbortSignal): Promise<Response> {
  // Without compression, the declared length is the length of the file.
  return fetch(url, { redirect: 'manual', signal, headers: { 'accept-encoding': 'identity' } });
}

function redirected(from: URL, location: string): URL {
  const to = new URL(location, from);
  const allowed = from.protocol === 'https:' ? ['https:'] : ['http:', 'https:'];
  if (!allowed.includes(to.protocol)) throw new Error(`the hub redirects to ${to.protocol}`);
  return to;
}

/**
 * Hubs send the SHA-256 of a large file as an entity tag, before they redirect to its storage. Entity
 * tags of the storage may look the same but have another meaning.
 */
function declaredDigest(response: Response, hop: number): string | undefined {
  const tag = response.headers.get('x-linked-etag') ?? (hop === 0 && response.headers.get('etag'));
  return /^(?:W\/)?"?([0-9a-f]{64})"?$/i.exec(tag || '')?.[1]?.toLowerCase();
}

async function save(
  response: Response,
  handle: FileHandle,
  { clock, timeouts, maxBytes, onProgress }: FileDownload,
): Promise<DownloadedFile> {
  if ((lengthOf(response) ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const hash = createHash('sha256');
  const reader = response.body?.getReader();
  const limit = { ms: timeouts.stallMs, clock, message: 'the hub stopped sending' };
  for (let bytes = 0; ; ) {
    const piece = reader === undefined ? undefined : await withTimeout(reader.read(), limit);
    if (piece?.value === undefined) return { bytes, sha256: hash.digest('hex') };
    bytes += piece.value.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    hash.update(piece.value);
    await handle.writeFile(piece.value);
    onProgress(bytes, lengthOf(response));
  }
}

function tooLarge(maxBytes: number): Error {
  return new Error(`the hub sends more than the maximum of ${maxBytes} bytes`);
}

function checkLength(response: Response, { bytes }: DownloadedFile): void {
  const length = lengthOf(response);
  if (length !== undefined && length !== bytes) {
    throw new Error(`the hub sent ${bytes} of ${length} bytes`);
  }
}

function checkDigest(declared: string | undefined, { sha256 }: DownloadedFile): void {
  if (declared !== undefined && declared !== sha256) {
    throw new Error('the file does not match the SHA-256 that the hub declared');
  }
}

function lengthOf(response: Response): number | undefined {
  const length = response.headers.get('content-length');
  const isWhole = !response.headers.has('content-encoding');
  return length !== null && isWhole ? Number(length) : undefined;
}

interface TimeLimit {
  readonly ms: number;
  readonly clock: Clock;
  /** Message of the error after a timeout. */
  readonly message: string;
}

/** Resolves with the result of `work`, or rejects if it takes too long; does not stop `work` itself. */
async function withTimeout<T>(work: Promise<T>, { ms, clock, message }: TimeLimit): Promise<T> {
  const done = new AbortController();
  const timeUp = clock.sleep(ms, done.signal).then((): never => {
    throw new Error(`${message} (${ms} ms)`);
  });
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    timeUp.catch(() => {});
    done.abort();
  }
}
