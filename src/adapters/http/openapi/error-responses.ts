import { RETRY_AFTER_SECONDS } from '../../../domain/limits.js';
import { HTTP_STATUSES, type HttpErrorCode } from '../server/http-error.js';
import { ERROR_MEANINGS } from './error-meanings.js';
import type { Header, JsonSchema, OperationResponse } from './open-api-document.js';

/** The responses of one operation to the errors with these codes, by status, in ascending order. */
export function errorResponses(
  codes: ReadonlySet<HttpErrorCode>,
): Readonly<Record<string, OperationResponse>> {
  const declared = [...codes].map((code) => ({ code, status: HTTP_STATUSES[code] }));
  const statuses = new Set(declared.map(({ status }) => status));
  const responses = [...statuses].map((status) => {
    const own = declared.filter((error) => error.status === status).map(({ code }) => code);
    return [status, { ...responseOf(own), ...HEADERS[status] }] as const;
  });
  return { ...Object.fromEntries(responses), ...CONNECTION_ERRORS };
}

/** The body of every error response, under this name in `components`. */
export const ERROR_SCHEMA_NAME = 'Error';

export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'The body of every error response.',
  properties: {
    success: { type: 'boolean', const: false, description: 'Always false.' },
    error: { type: 'string', description: 'A sentence for people; it may change.' },
    code: {
      type: 'string',
      enum: Object.keys(HTTP_STATUSES),
      description: 'For programs; it does not change.',
    },
  },
  required: ['success', 'error', 'code'],
  additionalProperties: false,
};

function responseOf(codes: readonly HttpErrorCode[]): OperationResponse {
  return describedResponse(
    codes,
    codes.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`).join(' '),
  );
}

function describedResponse(
  codes: readonly HttpErrorCode[],
  description: string,
): OperationResponse {
  const schema: JsonSchema = {
    $ref: `#/components/schemas/${ERROR_SCHEMA_NAME}`,
    properties: { code: { enum: [...codes] } },
  };
  return { description, content: { 'application/json': { schema } } };
}

/** What can happen before a request is complete (`server/client-error.ts`). */
const CONNECTION_ERRORS: Readonly<Record<string, OperationResponse>> = {
  408: describedResponse(
    ['invalid_request'],
    '`invalid_request`: The request did not arrive in time.',
  ),
  431: describedResponse(
    ['too_large'],
    '`too_large`: The request line and the headers are larger than 16 KiB.',
  ),
};

const HEADERS: Readonly<Record<number, { readonly headers: Readonly<Record<string, Header>> }>> = {
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
