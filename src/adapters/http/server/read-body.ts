import type { IncomingMessage } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { KnowledgeError } from '../../../domain/errors.js';
import { BODY_MAX_BYTES } from './server-limits.js';

/**
 * The body of a request, inflated. What is left of a refused one stays unread: whoever answers drains it.
 * @throws KnowledgeError `too_large`, `unsupported_media_type` for an unknown encoding,
 * `invalid_request` for a body that ends early or does not inflate
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_MAX_BYTES) throw tooLarge();
  const decoder = decoderOf(request.headers['content-encoding']);
  request.once('close', () => {
    if (!request.complete) decoder.destroy(new Error('The client went away.'));
  });
  request.pipe(decoder);
  try {
    return await collect(decoder);
  } finally {
    request.unpipe(decoder);
  }
}

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['identity', () => new PassThrough()],
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

function decoderOf(encoding = 'identity'): Transform {
  const create = DECODERS.get(encoding.toLowerCase());
  if (create !== undefined) return create();
  throw new KnowledgeError(
    'unsupported_media_type',
    `The content encoding must be one of ${[...DECODERS.keys()].join(', ')}.`,
  );
}

async function collect(decoder: Transform): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of decoder as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > BODY_MAX_BYTES) throw tooLarge();
      parts.push(part);
    }
  } catch (cause) {
    if (cause instanceof KnowledgeError) throw cause;
    throw new KnowledgeError('invalid_request', 'The body is cut off or broken.', { cause });
  }
  return Buffer.concat(parts);
}

function tooLarge(): KnowledgeError {
  return new KnowledgeError('too_large', 'The body must not be larger than 1 MiB.');
}
