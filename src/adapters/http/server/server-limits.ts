/** Limits of what clients can use at the same time, and of the graceful stop. */
export interface ServerLimits {
  /** Maximum number of requests handled at the same time; further ones get 503 `overloaded`. */
  readonly maxInFlight: number;
  /** How long a stopping server waits for requests in flight before it cuts them off. */
  readonly graceMs: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = { maxInFlight: 256, graceMs: 8_000 };

/** Maximum size of a request body, before and after decompression. */
export const BODY_MAX_BYTES = 1_048_576;
/** How much of a refused body is read and discarded before the connection is cut. */
export const DRAIN_MAX_BYTES = 64 * 1_048_576;

export const REQUEST_TIMEOUT_MS = 30_000;
export const HEADERS_TIMEOUT_MS = 10_000;
export const KEEP_ALIVE_TIMEOUT_MS = 15_000;
/** How often Node checks for requests that take too long to arrive. */
export const TIMEOUT_CHECK_MS = 2_000;
export const MAX_CONNECTIONS = 2_048;
/** How long a client that sent an unparsable request may take to read the response. */
export const LINGER_MS = 2_000;
