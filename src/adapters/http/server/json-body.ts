import { isUtf8 } from 'node:buffer';
import express, { type RequestHandler } from 'express';
import { KnowledgeError } from '../../../domain/errors.js';
import { HttpError } from './http-error.js';
import { BODY_MAX_BYTES } from './server-limits.js';

/**
 * Parses the JSON body of a request into `request.body`; any JSON value is accepted. Uses
 * `express.json` to read, inflate and parse it.
 * @throws HttpError `unsupported_media_type`, `too_large`
 * @throws KnowledgeError `invalid_request` for a body that is broken, not UTF-8 or not JSON
 */
export const jsonBody: RequestHandler = (request, response, next) => {
  assertJson(request.headers['content-type'] ?? '');
  assertLength(Number(request.headers['content-length'] ?? 0));
  readJson(request, response, (error?: unknown) => next(error && translated(error)));
};

const readJson = express.json({
  limit: BODY_MAX_BYTES,
  strict: false,
  type: () => true,
  verify: (_request, _response, body) => assertUtf8(body),
});

/**
 * Also refuses the content types that a web page can send without a preflight request (forms,
 * text/plain). Checked here because `express.json` accepts an empty charset, and every one that begins
 * with `utf-`.
 */
function assertJson(contentType: string): void {
  const [type, ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='));
  if (type === 'application/json' && charsets.every((charset) => UTF_8.includes(charset))) return;
  throw new HttpError(
    'unsupported_media_type',
    'The content type must be application/json in UTF-8.',
  );
}

const UTF_8: readonly string[] = ['charset=utf-8', 'charset="utf-8"'];

/** Checked here because `express.json` would read the whole of a body that is too large before it responds. */
function assertLength(bytes: number): void {
  if (bytes > BODY_MAX_BYTES) throw tooLarge();
}

/** Checked here because `express.json` would replace invalid UTF-8. */
function assertUtf8(body: Buffer): void {
  if (!isUtf8(body)) throw new KnowledgeError('invalid_request', 'The body must be UTF-8.');
}

/** Translates errors of body-parser by their type; its other client errors mean a malformed body. */
function translated(error: unknown): unknown {
  if (error instanceof KnowledgeError || !isBodyError(error)) return error;
  if (error.type === 'entity.too.large') return tooLarge();
  if (error.type === 'encoding.unsupported') {
    return new HttpError(
      'unsupported_media_type',
      'The content encoding must be one of identity, gzip, deflate, br.',
    );
  }
  const sentence =
    error.type === 'entity.parse.failed'
      ? 'The body must be valid JSON.'
      : 'The body is incomplete or malformed.';
  return new KnowledgeError('invalid_request', sentence, { cause: error });
}

interface BodyError extends Error {
  readonly status: number;
  readonly type?: string;
}

function isBodyError(error: unknown): error is BodyError {
  return error instanceof Error && 'status' in error && Number(error.status) < 500;
}

function tooLarge(): HttpError {
  return new HttpError('too_large', 'The body must not be larger than 1 MiB.');
}
