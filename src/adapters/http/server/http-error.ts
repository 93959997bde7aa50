import type { OutgoingHttpHeaders } from 'node:http';
import type { ErrorRequestHandler, Response } from 'express';
import {
  type CurrentNote,
  type ErrorCode,
  errorReason,
  FAILED_BY_BUG,
  KnowledgeError,
} from '../../../domain/errors.js';
import { RETRY_AFTER_SECONDS } from '../../../domain/limits.js';
import type { Logger } from '../../../ports/logger.js';
import { sendText } from './send-text.js';

/** Codes of errors that exist only in HTTP; the domain does not know them. */
export type WireCode =
  | 'unauthorized'
  | 'host_not_allowed'
  | 'origin_not_allowed'
  | 'method_not_allowed'
  | 'too_large'
  | 'unsupported_media_type';

/** Every `code` that the body of an error can have (docs/api.md, "Errors"). */
export type HttpErrorCode = ErrorCode | WireCode;

/** A request that was refused before it reached the service. `message` is one sentence for the client. */
export class HttpError extends Error {
  readonly code: WireCode;

  constructor(code: WireCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HttpError';
    this.code = code;
  }
}

/** The code of an error. Anything but a KnowledgeError or HttpError is a bug: `internal`. */
function httpErrorCode(error: unknown): HttpErrorCode {
  return error instanceof KnowledgeError || error instanceof HttpError ? error.code : 'internal';
}

/** The status of each code. For unparsable requests, `connections.ts` sends two codes with other statuses. */
export const HTTP_STATUSES: Readonly<Record<HttpErrorCode, number>> = {
  invalid_request: 400,
  secret_found: 400,
  unauthorized: 401,
  path_not_allowed: 403,
  host_not_allowed: 403,
  origin_not_allowed: 403,
  fetch_not_allowed: 403,
  not_found: 404,
  project_not_found: 404,
  category_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  changed: 409,
  schema_too_new: 409,
  too_large: 413,
  unsupported_media_type: 415,
  not_readable: 422,
  internal: 500,
  fetch_failed: 502,
  store_unavailable: 503,
  model_unavailable: 503,
  overloaded: 503,
  storage_full: 507,
};

/** The body of every error response (docs/specification.md, "Errors"). */
export function errorBody(code: HttpErrorCode, sentence: string, current?: CurrentNote) {
  return { success: false, error: sentence, code, ...(current !== undefined && { current }) };
}

/**
 * Turns errors into responses, except for requests that cannot be parsed, which `connections.ts` handles. Express
 * recognizes an error handler by its four parameters.
 */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  // biome-ignore lint/complexity/useMaxParams: Express's own signature
  return (error: unknown, _request, response, _next) => {
    const code = httpErrorCode(error);
    const status = HTTP_STATUSES[code];
    logError(error, logger, readRequestId(response));
    if (response.headersSent) return;
    response.set({ ...HEADERS_OF_STATUS[status], ...HEADERS_OF_CODE[code] });
    const current = error instanceof KnowledgeError ? error.current : undefined;
    const text = JSON.stringify(errorBody(code, errorSentence(error), current));
    sendText(response, status, { type: 'json', text });
  };
}

const HEADERS_OF_STATUS: Readonly<Record<number, OutgoingHttpHeaders>> = {
  503: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
};

const HEADERS_OF_CODE: Readonly<Partial<Record<HttpErrorCode, OutgoingHttpHeaders>>> = {
  unauthorized: { 'WWW-Authenticate': 'Bearer' },
};

/** Logs details that the response omits: a bug in full, and the cause of any other error. */
function logError(error: unknown, logger: Logger, requestId: string | undefined): void {
  const code = httpErrorCode(error);
  if (code === 'internal') logger.error('A request failed because of a bug.', { requestId, error });
  else if (error instanceof Error && error.cause !== undefined) {
    logger.warn('A request failed.', { requestId, code, reason: errorReason(error.cause) });
  }
}

function errorSentence(error: unknown): string {
  return error instanceof Error && httpErrorCode(error) !== 'internal'
    ? error.message
    : FAILED_BY_BUG;
}

/** The id of the request that a response belongs to. */
function readRequestId(response: Response): string | undefined {
  const id: unknown = response.locals['requestId'];
  return typeof id === 'string' ? id : undefined;
}
