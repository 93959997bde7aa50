import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { fetchFailed, notReadable } from '../fetch-errors.js';

/** The value of `Accept-Encoding` for what {@link readBody} can decompress. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/**
 * The decompressed body of a response. Stops reading as soon as it is larger than `maxBytes`, so that
 * neither an endless page nor a small one that decompresses to gigabytes fills the memory.
 * @throws KnowledgeError `not_readable`, `fetch_failed`; errors of the stream unchanged
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const declared = Number(response.headers['content-length'] ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of decompressed(response)) {
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

/** Ending the iteration ends the response too. */
function decompressed(response: IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return response;
  const decompressor = Object.hasOwn(DECOMPRESSORS, encoding) ? DECOMPRESSORS[encoding] : undefined;
  if (decompressor === undefined) throw fetchFailed('its compression is not supported');
  return pipeline(response, decompressor(), ignore);
}

/** `pipeline` passes an error on to the stream that it returns, where the iteration throws it. */
function ignore(): void {}

function tooLarge(maxBytes: number): Error {
  return notReadable(`it is larger than ${maxBytes / 1024 / 1024} MB`);
}
