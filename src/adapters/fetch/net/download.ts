import type { IncomingMessage } from 'node:http';
import { PAGE_MAX_BYTES, PAGE_MAX_REDIRECTS } from '../../../domain/limits.js';
import type { PageValidators } from '../../../ports/driven/page-fetcher.js';
import { fetchFailed } from '../fetch-errors.js';
import { ACCEPTED_ENCODINGS, readBody } from './bounded-body.js';
import { type PageRequest, sendRequest } from './send-request.js';

/** What a server sent. */
export interface Download extends PageValidators {
  /** Where it was found after redirects. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly bytes: Buffer;
}

export interface DownloadOptions extends Pick<PageRequest, 'addresses' | 'signal'> {
  readonly known: PageValidators;
}

/**
 * Downloads what is at a URL. Follows redirects, and checks each of them as the first URL is checked.
 * @throws KnowledgeError `fetch_not_allowed`, `fetch_failed`, `not_readable`; errors of the connection unchanged
 */
export async function download(
  url: string,
  { known, ...context }: DownloadOptions,
): Promise<Download | 'unchanged'> {
  const headers = headersFor(known);
  let target = new URL(url);
  for (let redirects = 0; redirects <= PAGE_MAX_REDIRECTS; redirects += 1) {
    context.addresses.checkUrl(target);
    const response = await sendRequest(target, { headers, ...context });
    try {
      const next = redirectOf(response, target);
      if (next === undefined) return await downloadOf(response, target, known);
      target = next;
    } finally {
      response.destroy();
    }
  }
  throw fetchFailed(`it redirects more than ${PAGE_MAX_REDIRECTS} times`);
}

function headersFor({ etag, lastModified }: PageValidators): Readonly<Record<string, string>> {
  return {
    'User-Agent': 'knowledge-store',
    Accept:
      'text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, application/pdf;q=0.8',
    'Accept-Encoding': ACCEPTED_ENCODINGS,
    ...(etag !== undefined && { 'If-None-Match': etag }),
    ...(lastModified !== undefined && { 'If-Modified-Since': lastModified }),
  };
}

const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

function redirectOf({ statusCode, headers }: IncomingMessage, from: URL): URL | undefined {
  if (!REDIRECTS.has(statusCode)) return undefined;
  const { location } = headers;
  if (location !== undefined && URL.canParse(location, from.href)) return new URL(location, from);
  throw fetchFailed('it redirects to no address');
}

async function downloadOf(
  response: IncomingMessage,
  { href }: URL,
  known: PageValidators,
): Promise<Download | 'unchanged'> {
  const { statusCode = 0, headers } = response;
  const isConditional = known.etag !== undefined || known.lastModified !== undefined;
  if (statusCode === 304 && isConditional) return 'unchanged';
  if (statusCode !== 200) throw fetchFailed(`the server responded with ${statusCode}`);
  const etag = validator(headers.etag);
  const lastModified = validator(headers['last-modified']);
  return {
    url: href,
    contentType: headers['content-type'],
    bytes: await readBody(response, PAGE_MAX_BYTES),
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
  };
}

/** What can be sent back as a header, and is not longer than any real one. */
function validator(value: string | undefined): string | undefined {
  return value !== undefined && /^[\x20-\x7e]{1,200}$/.test(value) ? value : undefined;
}
