/** The error codes of the service. Those specific to HTTP are in `adapters/http`. */
const ERROR_CODES = [
  'invalid_request',
  'path_not_allowed',
  'not_found',
  'project_not_found',
  'category_not_found',
  'conflict',
  'changed',
  'secret_found',
  'schema_too_new',
  'store_unavailable',
  'model_unavailable',
  'overloaded',
  'storage_full',
  'fetch_not_allowed',
  'fetch_failed',
  'not_readable',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** The only thing that a client learns of a bug. */
export const FAILED_BY_BUG = 'The service failed because of a bug; its log has the details.';

export function isErrorCode(text: string): text is ErrorCode {
  const codes: readonly string[] = ERROR_CODES;
  return codes.includes(text);
}

/**
 * The error of ports and use cases. `message` is one sentence that tells the caller the next step;
 * it never contains a stack trace, SQL or a secret. Adapters translate their own errors into this one, except for
 * failed calls of a model, which are a {@link ModelCallError}.
 */
export class KnowledgeError extends Error {
  readonly code: ErrorCode;
  /** Only for `changed`. */
  readonly current: CurrentNote | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options?: ErrorOptions & { readonly current?: CurrentNote },
  ) {
    super(message, options);
    this.name = 'KnowledgeError';
    this.code = code;
    this.current = options?.current;
  }
}

/** The current note, for a writer who has read an older version. */
export interface CurrentNote {
  readonly version: string;
  readonly title: string;
  readonly content: string;
}

export function invalidRequest(sentence: string): KnowledgeError {
  return new KnowledgeError('invalid_request', sentence);
}

/** Another process holds the lock of the store, so the call may succeed later. */
export class StoreLocked extends KnowledgeError {
  constructor(options?: ErrorOptions) {
    super(
      'store_unavailable',
      'The knowledge store is locked by another process; try again shortly.',
      options,
    );
  }
}

/** The message of any thrown value, for logs. */
export function errorReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Like `errorReason`, without the failed call and its path: `EACCES: permission denied`. */
export function systemReason(error: unknown): string {
  return errorReason(error).replace(/^(E[A-Z]+: [^,]*), \w.*/s, '$1');
}

/**
 * The reason why something cannot be written and, if the file system refuses it, the remedy.
 * @param folder the folder whose permissions the user should check
 */
export function writeFailure(error: unknown, folder: string): string {
  const reason = systemReason(error);
  return ['EACCES', 'EPERM', 'EROFS'].includes(systemErrorCode(error))
    ? `${reason}; make ${folder} writable`
    : reason;
}

/** The code of a system error, such as `EEXIST`; empty if there is none. */
export function systemErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Why a call of a model failed, which decides the caller's next step. */
export type ModelCallFailure =
  /** No endpoint is set. */
  | 'not_configured'
  /** The endpoint refused the connection or did not respond in time. */
  | 'unreachable'
  /** The endpoint responded with a server error (5xx). */
  | 'failed'
  /** The endpoint requested a pause (429). */
  | 'throttled'
  /** The endpoint responded with another client error (4xx). */
  | 'refused'
  /** The response cannot be used. */
  | 'unusable';

/**
 * A failed call of a model: of the small language model, of the reranker, or of an embedding endpoint for one text.
 * Ports throw it, and use cases handle it; they never throw it themselves.
 */
export class ModelCallError extends Error {
  readonly failure: ModelCallFailure;
  /** The pause requested by the endpoint. */
  readonly retryAfterMs: number | undefined;
  /** The HTTP status of an error response. */
  readonly status: number | undefined;

  constructor(
    failure: ModelCallFailure,
    message: string,
    options?: ErrorOptions & { retryAfterMs?: number; status?: number },
  ) {
    super(message, options);
    this.name = 'ModelCallError';
    this.failure = failure;
    this.retryAfterMs = options?.retryAfterMs;
    this.status = options?.status;
  }
}
