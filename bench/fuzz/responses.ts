import type { HttpAnswer } from '../../test/support/service-at-url.js';

/** The error codes of docs/api.md, by status. */
const DOCUMENTED: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid_request'],
  403: ['path_not_allowed', 'host_not_allowed', 'origin_not_allowed'],
  404: ['not_found', 'project_not_found', 'category_not_found'],
  405: ['method_not_allowed'],
  408: ['invalid_request'],
  413: ['too_large'],
  415: ['unsupported_media_type'],
  431: ['too_large'],
  503: ['model_unavailable'],
};

/** What no response may say: a stack, a place in the code, a query of the database. */
const INTERNALS = /node_modules|\bat [^"\n]*:\d+:\d+|\.[jt]s:\d+|SQLITE_|SqliteError|\bdist\//;

/** Why a response breaks the documented interface; undefined if it does not. */
export function undocumented(answer: HttpAnswer): string | undefined {
  const { status, body, headers, text } = answer;
  if (!/^application\/json/.test(headers.get('content-type') ?? '')) return `not JSON: ${text}`;
  if (body === undefined) return `not parseable: ${text}`;
  if (status === 200) return undefined;
  const codes = DOCUMENTED[status];
  if (codes === undefined) return `status ${status}: ${text}`;
  if (!codes.includes(body.code)) return `code ${body.code} with status ${status}`;
  if (body.success !== false || typeof body.error !== 'string') return `another shape: ${text}`;
  if (INTERNALS.test(text)) return `internals in: ${text}`;
  return undefined;
}
