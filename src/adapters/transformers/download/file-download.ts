import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Clock } from '../../../ports/clock.js';
import type { DownloadStatus } from '../../../ports/embedder.js';

export interface FileDownload {
  readonly url: string;
  readonly target: string;
  /** A larger file is refused, if possible by its declared length before it is read. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told about each part of a file whose length the hub declares. */
  readonly onProgress: (progress: DownloadStatus) => void;
}

/**
 * Downloads one file from a hub, flushes it to disk and returns its size. Follows redirects, and verifies the digest if the
 * hub declares one; `fetch` fails if a body is shorter than declared. Gives up if nothing arrives for 30 s; the whole download may take any time.
 * @throws Error with the reason; a partially written file is not removed
 */
export async function downloadFile(download: FileDownload): Promise<number> {
  const ending = new AbortController();
  const signal = AbortSignal.any([download.signal, ending.signal]);
  const handle = await open(download.target, 'w');
  try {
    const { response, digest } = await request(download, signal);
    const bytes = await save(response, handle, { ...download, digest });
    await handle.sync();
    return bytes;
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

async function request({ url: first, clock }: FileDownload, signal: AbortSignal): Promise<Answer> {
  let digest: string | undefined;
  let url = new URL(first);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    // Without compression, the declared length is the length of the file.
    const headers = { 'accept-encoding': 'identity' };
    const answer = fetch(url, { redirect: 'manual', signal, headers });
    const response = await withinLimit(answer, clock, 'the hub does not respond');
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

/** What to do where no hub can be reached. `fetch` uses a proxy of the environment only if Node is started for it. */
export function wayAround(folder: string, env = process.env): string {
  const usesProxy =
    env['NODE_USE_ENV_PROXY'] === '1' && process.allowedNodeEnvironmentFlags.has('--use-env-proxy');
  const proxy = usesProxy ? '' : '; a proxy needs Node 24, HTTPS_PROXY and NODE_USE_ENV_PROXY=1';
  return `name a mirror by KNOWLEDGE_MODEL_HOST, or put the four files into ${folder} (docs/operations.md, "Offline, and mirrors")${proxy}`;
}

function refusal(status: number, { pathname }: URL): Error {
  const message = `the hub responds with ${status} for ${pathname}`;
  const isFinal = 400 <= status && status < 500 && status !== 408 && status !== 429;
  return isFinal ? new HubRefusal(message) : new Error(message);
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
  { clock, maxBytes, onProgress, digest }: FileDownload & Pick<Answer, 'digest'>,
): Promise<number> {
  const total = declaredLength(response);
  const hash = createHash('sha256');
  const reader = response.body?.getReader();
  let done = 0;
  for (let isLast = false; !isLast; ) {
    if (Math.max(done, total ?? 0) > maxBytes) {
      throw new Error(`the hub sends more than the maximum of ${maxBytes} bytes`);
    }
    const part = reader && (await withinLimit(reader.read(), clock, 'the hub stopped sending'));
    isLast = part?.value === undefined;
    if (part?.value === undefined) continue;
    done += part.value.length;
    hash.update(part.value);
    await handle.writeFile(part.value);
    if (total !== undefined) onProgress({ done, total });
  }
  if (digest !== undefined && digest !== hash.digest('hex')) {
    throw new Error('the file does not match the SHA-256 that the hub declared');
  }
  return done;
}

function declaredLength(response: Response): number | undefined {
  const length = response.headers.get('content-length');
  const isWhole = !response.headers.has('content-encoding');
  return length !== null && isWhole ? Number(length) : undefined;
}

const LIMIT_MS = 30_000;

/** Rejects with `message` if work takes too long; does not stop the work itself. */
async function withinLimit<T>(work: Promise<T>, clock: Clock, message: string): Promise<T> {
  const done = new AbortController();
  const timeUp = clock.sleep(LIMIT_MS, done.signal).then((): never => {
    throw new Error(`${message} (${LIMIT_MS} ms)`);
  });
  timeUp.catch(() => {});
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    done.abort();
  }
}
