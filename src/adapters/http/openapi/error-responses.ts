import { RETRY_AFTER_SECONDS } from '../../../domain/limits.js';
import { HTTP_STATUSES, type HttpErrorCode } from '../server/http-error.js';
import type { JsonSchema, OperationResponse } from './open-api.js';

/** Describes the error responses of one operation, by status in ascending order. */
export function errorResponses(
  codes: ReadonlySet<HttpErrorCode>,
): Readonly<Record<string, OperationResponse>> {
  const declared = [...codes].map((code) => ({ code, status: HTTP_STATUSES[code] }));
  const statuses = new Set(declared.map(({ status }) => status));
  const responses = [...statuses].map((status) => {
    const own = declared.filter((error) => error.status === status).map(({ code }) => code);
    return [status, { ...errorResponse(own), ...HEADERS[status] }] as const;
  });
  return { ...Object.fromEntries(responses), ...CONNECTION_ERRORS };
}

/** Schema of the body of every error response; called `Error` in the document. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'The body of every error response.',
  properties: {
    success: { type: 'boolean', const: false, description: 'Always false.' },
    error: { type: 'string', description: 'A sentence for people, whose wording may change.' },
    code: {
      type: 'string',
      enum: Object.keys(HTTP_STATUSES),
      description: 'For programs; it does not change.',
    },
    current: {
      type: 'object',
      description: 'Only with the code `changed`: the note as it is now.',
      properties: {
        version: { type: 'string', description: 'Version of the note.' },
        title: { type: 'string', description: 'Title of the note.' },
        content: { type: 'string', description: 'The note, in markdown, without its title.' },
      },
      required: ['version', 'title', 'content'],
      additionalProperties: false,
    },
  },
  required: ['success', 'error', 'code'],
  additionalProperties: false,
};

function errorResponse(
  codes: readonly HttpErrorCode[],
  meanings: Meanings = ERROR_MEANINGS,
): OperationResponse {
  const properties = { code: { enum: [...codes] } };
  const schema = { $ref: '#/components/schemas/Error', properties };
  const description = codes.map((code) => `\`${code}\`: ${meanings[code]}`).join(' ');
  return { description, content: { 'application/json': { schema } } };
}

type Meanings = Partial<Readonly<Record<HttpErrorCode, string>>>;

/** Says when each code is sent. `docs/api.md`, "Errors", has the remedies. */
const ERROR_MEANINGS: Required<Meanings> = {
  invalid_request:
    'The body is not a JSON object, the query string is not percent-encoded UTF-8, or a field is missing, of the wrong type or out of range.',
  unauthorized: 'The service has a token, and the request has none or a different one.',
  path_not_allowed:
    'projectPath is outside every directory that the service may open, or a link is in the place of a file that would be written or deleted.',
  host_not_allowed: 'The Host header does not name this service.',
  origin_not_allowed: 'A web page of another origin sent the request.',
  not_found: 'There is no such route, feature, note, source or chunk.',
  project_not_found: 'projectPath does not exist or is a file.',
  category_not_found: 'There is no such memory category.',
  method_not_allowed: 'The path does not support this method.',
  conflict: 'A note with this id already exists.',
  changed:
    'The note no longer has the version that the request named; `current` is the note as it is now.',
  secret_found:
    'The note seems to contain a secret, and the service refuses such notes (KNOWLEDGE_SECRETS).',
  schema_too_new: 'The database was written by a newer version of this service.',
  too_large: 'The body is larger than 1 MiB.',
  unsupported_media_type:
    'The body is not declared as JSON in UTF-8, or its compression is not supported.',
  internal: "A bug; the service's log has the details.",
  store_unavailable:
    'The database is locked, read-only, damaged or foreign, or the service is stopping.',
  model_unavailable: 'No small language model is configured, or its endpoint cannot be reached.',
  overloaded: 'Too many requests are in progress.',
  fetch_not_allowed: 'Fetching pages is turned off, or the address is not public.',
  fetch_failed: 'The page cannot be fetched: its server cannot be reached or refused the request.',
  not_readable: 'The page has no text that can be kept, or is too large.',
  storage_full: 'The disk is full; nothing was written.',
};

/** Errors that may occur before a request is complete (`server/connections.ts`). */
const CONNECTION_ERRORS = {
  408: errorResponse(['invalid_request'], {
    invalid_request: 'The request did not arrive in time.',
  }),
  431: errorResponse(['too_large'], {
    too_large: 'The request line and the headers are larger than 16 KiB.',
  }),
};

const HEADERS: Readonly<Record<number, object>> = {
  401: {
    headers: {
      'WWW-Authenticate': {
        description: 'The scheme of the token.',
        required: true,
        schema: { type: 'string', const: 'Bearer' },
      },
    },
  },
  503: {
    headers: {
      'Retry-After': {
        description: `Seconds to wait before the next attempt, for example ${RETRY_AFTER_SECONDS}.`,
        required: true,
        schema: { type: 'integer', minimum: 0 },
      },
    },
  },
};
