import type { OutgoingHttpHeaders } from 'node:http';
import { type ErrorCode, KnowledgeError } from '../../../domain/errors.js';
import { RETRY_AFTER_SECONDS } from '../../../domain/limits.js';
import type { Answer } from './answer.js';

/** The answer to a request that was refused or failed. What is not a KnowledgeError is `internal`. */
export function errorAnswer(error: unknown): Answer {
  const code = codeOf(error);
  const status = STATUSES[code];
  const headers = { ...HEADERS_OF_STATUS[status], ...HEADERS_OF_CODE[code] };
  return { status, headers, body: errorBody(code, sentenceOf(error)) };
}

/** The body of every answer that is not a success (contract, "Bodies"). */
export function errorBody(code: ErrorCode, sentence: string) {
  return { success: false, error: sentence, code };
}

export function codeOf(error: unknown): ErrorCode {
  return error instanceof KnowledgeError ? error.code : 'internal';
}

const STATUSES: Readonly<Record<ErrorCode, number>> = {
  invalid_request: 400,
  unauthorized: 401,
  path_not_allowed: 403,
  host_not_allowed: 403,
  origin_not_allowed: 403,
  not_found: 404,
  project_not_found: 404,
  category_not_found: 404,
  method_not_allowed: 405,
  schema_too_new: 409,
  too_large: 413,
  unsupported_media_type: 415,
  internal: 500,
  store_unavailable: 503,
  model_unavailable: 503,
  overloaded: 503,
  storage_full: 507,
};

const HEADERS_OF_STATUS: Readonly<Record<number, OutgoingHttpHeaders>> = {
  503: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
};

const HEADERS_OF_CODE: Readonly<Partial<Record<ErrorCode, OutgoingHttpHeaders>>> = {
  unauthorized: { 'WWW-Authenticate': 'Bearer' },
};

/** A bug is described in the log and nowhere else. */
function sentenceOf(error: unknown): string {
  return error instanceof KnowledgeError && error.code !== 'internal'
    ? error.message
    : 'Something went wrong here; the log says what.';
}
