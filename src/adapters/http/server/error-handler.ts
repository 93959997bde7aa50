import type { OutgoingHttpHeaders } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { reasonOf } from '../../../domain/errors.js';
import { RETRY_AFTER_SECONDS } from '../../../domain/limits.js';
import type { Logger } from '../../../ports/driven/logger.js';
import { codeOf, errorBody, HTTP_STATUSES, type HttpErrorCode } from './http-error.js';
import { requestIdOf } from './request-id.js';
import { sendJson } from './send-json.js';

/** The only place where errors become responses. Express recognizes an error handler by its four parameters. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  // biome-ignore lint/complexity/useMaxParams: Express's own signature
  return (error: unknown, _request, response, _next) => {
    const code = codeOf(error);
    const status = HTTP_STATUSES[code];
    logError(error, logger, requestIdOf(response));
    if (response.headersSent) return;
    response.set({ ...HEADERS_OF_STATUS[status], ...HEADERS_OF_CODE[code] });
    sendJson(response, status, errorBody(code, sentenceOf(error)));
  };
}

const HEADERS_OF_STATUS: Readonly<Record<number, OutgoingHttpHeaders>> = {
  503: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
};

const HEADERS_OF_CODE: Readonly<Partial<Record<HttpErrorCode, OutgoingHttpHeaders>>> = {
  unauthorized: { 'WWW-Authenticate': 'Bearer' },
};

/** Logs what the response leaves out: a bug in full, and the cause of any other error. */
function logError(error: unknown, logger: Logger, requestId: string | undefined): void {
  const code = codeOf(error);
  if (code === 'internal') logger.error('A request failed because of a bug.', { requestId, error });
  else if (error instanceof Error && error.cause !== undefined) {
    logger.warn('A request failed.', { requestId, code, reason: reasonOf(error.cause) });
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error && codeOf(error) !== 'internal'
    ? error.message
    : 'The service failed because of a bug; its log has the details.';
}
