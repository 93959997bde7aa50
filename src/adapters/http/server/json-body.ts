import { isUtf8 } from 'node:buffer';
import express, { type RequestHandler } from 'express';
import { KnowledgeError } from '../../../domain/errors.js';
import { HttpError } from './http-error.js';
import { BODY_MAX_BYTES } from './server-limits.js';

/**
 * Puts the JSON body of a request into `request.body`; it may be any JSON value. `express.json` reads,
 * inflates and parses it.
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
 * Also keeps out what a web page can send without a preflight request (forms, text/plain).
 * `express.json` takes any charset that begins with `utf-`, and an empty one: the tests "answers a body
 * of type … charset=utf-16" and "… charset=" fail.
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

/** `express.json` reads the whole of a body that is too large: "answers 413 before the body has been sent" fails. */
function assertLength(bytes: number): void {
  if (bytes > BODY_MAX_BYTES) throw tooLarge();
}

/** `express.json` replaces broken UTF-8: "answers bytes that are not UTF-8" fails. */
function assertUtf8(body: Buffer): void {
  if (!isUtf8(body)) throw new KnowledgeError('invalid_request', 'The body must be UTF-8.');
}

/** The errors of body-parser, by its names for them; other client errors mean a broken body. */
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
      : 'The body is cut off or broken.';
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
