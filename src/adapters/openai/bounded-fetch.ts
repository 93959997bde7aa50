/** The reply exceeds the size limit. */
export class ReplyTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`The reply is longer than ${maxBytes} bytes.`);
    this.name = 'ReplyTooLargeError';
  }
}

/**
 * Returns a `fetch` that follows no redirects and sends only the headers of the protocol. It resolves
 * after the whole body was read, so that aborting it also ends a slow reply. The body of an error reply
 * is not read: it may repeat the prompt or the key.
 * @throws ReplyTooLargeError when the decoded body exceeds `maxBytes`; the rest is not read
 */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const headers = protocolHeaders(new Headers(init?.headers));
    const reply = await fetch(input, { ...init, headers, redirect: 'manual' });
    const { status, headers: replyHeaders } = reply;
    if (!reply.ok) {
      await reply.body?.cancel();
      return new Response(null, { status, headers: replyHeaders });
    }
    const body = await readAtMost(maxBytes, reply.body);
    return new Response(body, { status, headers: replyHeaders });
  };
}

const PROTOCOL_HEADERS = ['accept', 'authorization', 'content-type'] as const;

function protocolHeaders(headers: Headers): Headers {
  const names = PROTOCOL_HEADERS.filter((name) => headers.has(name));
  return new Headers(names.map((name) => [name, headers.get(name) ?? '']));
}

/** `null` for an empty body, as a reply without content must have. */
async function readAtMost(
  maxBytes: number,
  body: ReadableStream<Uint8Array> | null,
): Promise<Buffer<ArrayBuffer> | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (maxBytes < size) throw new ReplyTooLargeError(maxBytes);
    parts.push(part);
  }
  return size === 0 ? null : Buffer.concat(parts);
}

/** A longer pause is shortened to one hour. */
export const RETRY_AFTER_MAX_MS = 3_600_000;

/**
 * The pause that a reply asks for, in milliseconds from 0 to {@link RETRY_AFTER_MAX_MS}: the header
 * `retry-after-ms`, or else `Retry-After` in seconds or as an HTTP date. `undefined` if neither is valid.
 */
export function retryAfterMs(headers: Headers, now: Date): number | undefined {
  const pauses = [
    numberIn(headers.get('retry-after-ms')),
    pauseIn(headers.get('retry-after'), now.getTime()),
  ];
  const pause = pauses.find((candidate) => candidate !== undefined);
  return pause === undefined ? undefined : Math.min(Math.max(0, pause), RETRY_AFTER_MAX_MS);
}

function pauseIn(value: string | null, now: number): number | undefined {
  const seconds = numberIn(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(value ?? '');
  return Number.isNaN(date) ? undefined : date - now;
}

function numberIn(value: string | null): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
