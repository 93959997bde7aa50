import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { invalidRequest } from '../../../domain/errors.js';
import { HttpError } from './http-error.js';
import { BODY_MAX_BYTES } from './server-limits.js';

/**
 * Reads the JSON body of a request into `request.body`; any JSON value is accepted. Unlike `express.json`, it does not
 * read a too large body to its end before it responds, and does not replace invalid UTF-8.
 * @throws HttpError `unsupported_media_type`, `too_large`
 * @throws KnowledgeError `invalid_request` for a body that is incomplete, not UTF-8 or not JSON
 */
export const jsonBody: RequestHandler = async (request, _response, next) => {
  assertJson(request.headers);
  request.body = parseBody(await readBytes(request));
  next();
};

/**
 * Checks that the body is declared as uncompressed JSON of an allowed size. This also refuses the content types that a
 * web page can send without a preflight request (forms, text/plain).
 */
function assertJson(headers: IncomingHttpHeaders): void {
  const { 'content-type': contentType = '', 'content-encoding': encoding = 'identity' } = headers;
  const [type, ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='));
  if (type !== 'application/json' || !charsets.every((charset) => UTF_8.includes(charset))) {
    const sentence = 'The content type must be application/json in UTF-8.';
    throw new HttpError('unsupported_media_type', sentence);
  }
  if (encoding.toLowerCase() !== 'identity') {
    throw new HttpError('unsupported_media_type', 'The body must not be compressed.');
  }
  if (Number(headers['content-length'] ?? 0) > BODY_MAX_BYTES) throw tooLarge();
}

const UTF_8: readonly string[] = ['charset=utf-8', 'charset="utf-8"'];

/** Reads the body. Bytes beyond the limit are read and discarded, so that the client can read the response. */
function readBytes(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let left = BODY_MAX_BYTES;
  return new Promise((resolve, reject) => {
    request.on('data', (part: Buffer) => {
      left -= part.length;
      if (left < 0) reject(tooLarge());
      else parts.push(part);
    });
    request.once('end', () => resolve(Buffer.concat(parts)));
    request.once('error', () => reject(invalidRequest('The body is incomplete.')));
  });
}

function parseBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw invalidRequest('The body must be UTF-8.');
  try {
    return JSON.parse(UTF_8_DECODER.decode(body));
  } catch {
    throw invalidRequest('The body must be valid JSON.');
  }
}

/** Skips a byte-order mark. */
const UTF_8_DECODER = new TextDecoder();

function tooLarge(): HttpError {
  return new HttpError('too_large', 'The body must not be larger than 1 MiB.');
}
