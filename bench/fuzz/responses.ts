import type { OpenApiDocument } from '../../src/adapters/http/openapi/document.js';
import { misfitsOf, operationOf } from '../../test/support/documented-responses.js';
import type { HttpAnswer } from '../../test/support/service-at-url.js';
import type { FuzzRequest } from './requests.js';

/** The error codes of requests that match no route, by status. */
const OF_NO_ROUTE: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid_request'],
  403: ['path_not_allowed', 'host_not_allowed', 'origin_not_allowed'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  415: ['unsupported_media_type'],
  431: ['too_large'],
};

/** Internals that no response may contain: a stack trace, a place in the code, a database error. */
const INTERNALS = /node_modules\/|\bat [^"\n]*:\d+:\d+|\.[jt]s:\d+|SQLITE_|SqliteError|\bdist\//;

/**
 * Returns a check of responses against a service's description. It returns why a response violates the description, or
 * undefined.
 */
export function interfaceCheck(document: OpenApiDocument) {
  const misfitOf = misfitsOf(document);
  return ({ method, path: target }: FuzzRequest, answer: HttpAnswer): string | undefined => {
    const path = target.replace(/\?.*$/s, '').replace(/(?<=.)\/$/, '');
    const headers = Object.fromEntries(answer.headers);
    const { status, body, text } = answer;
    if (status === 500) return `a bug: ${text}`;
    if (status !== 200 && INTERNALS.test(text)) return `internals in: ${text}`;
    return operationOf(document, method, path) === undefined
      ? undocumented(answer)
      : misfitOf({ method, path, status, headers, body });
  };
}

function undocumented({ status, body, headers, text }: HttpAnswer): string | undefined {
  if (!/^application\/json/.test(headers.get('content-type') ?? '')) return `not JSON: ${text}`;
  if (!OF_NO_ROUTE[status]?.includes(body?.code)) return `status ${status}: ${text}`;
  if (body.success !== false || typeof body.error !== 'string') return `another shape: ${text}`;
  return undefined;
}
