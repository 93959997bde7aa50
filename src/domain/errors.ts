/** Every way in which the service can refuse or fail. What only HTTP can refuse has codes of its own there. */
export type ErrorCode =
  | 'invalid_request'
  | 'path_not_allowed'
  | 'not_found'
  | 'project_not_found'
  | 'category_not_found'
  | 'schema_too_new'
  | 'store_unavailable'
  | 'model_unavailable'
  | 'overloaded'
  | 'storage_full'
  | 'internal';

/**
 * The one error that crosses ports. `message` is one sentence for the person who calls and says what
 * to do next; it never holds a stack, SQL or a secret. Adapters translate once, at their edge.
 */
export class KnowledgeError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KnowledgeError';
    this.code = code;
  }
}

/** The text of whatever was thrown, for logs. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What went wrong with a call of the small language model, as far as it decides what to do next. */
export type ModelCallFailure =
  /** No endpoint is set. */
  | 'not_configured'
  /** It refused the connection or did not answer in time. */
  | 'unreachable'
  /** It is there, but answered that it failed (5xx). */
  | 'failed'
  /** It asked for a pause (429). */
  | 'throttled'
  /** It answered another error (4xx). */
  | 'refused'
  /** It answered something that cannot be used. */
  | 'unusable';

/** A failed call of the small language model; stays inside the core, which decides what the caller sees. */
export class ModelCallError extends Error {
  readonly failure: ModelCallFailure;
  /** The pause that the endpoint asked for. */
  readonly retryAfterMs: number | undefined;

  constructor(
    failure: ModelCallFailure,
    message: string,
    options?: ErrorOptions & { retryAfterMs?: number },
  ) {
    super(message, options);
    this.name = 'ModelCallError';
    this.failure = failure;
    this.retryAfterMs = options?.retryAfterMs;
  }
}
