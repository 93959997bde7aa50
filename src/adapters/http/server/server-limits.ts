/** Limits on concurrency, on time per client, and on the graceful stop. */
export interface ServerLimits {
  /** Maximum number of requests handled at the same time; further ones get 503 `overloaded`. */
  readonly maxInFlight: number;
  /** Maximum number of requests for one project at the same time; further ones get 503 `overloaded`. */
  readonly maxPerProject: number;
  /** Maximum number of requests for one project that run at the same time; further ones wait for these. */
  readonly maxBegunPerProject: number;
  /** Maximum number of connections; further ones are closed as soon as they are accepted. */
  readonly maxConnections: number;
  /**
   * A connection is closed after this many requests. The client's next connection may go to another worker, so that a
   * new worker gets its share.
   */
  readonly maxRequestsPerConnection: number;
  /** How long the headers of a request may take to arrive, before it gets 408. */
  readonly headersTimeoutMs: number;
  /** How long a whole request may take to arrive, before it gets 408. */
  readonly requestTimeoutMs: number;
  /** How often Node checks for requests that take too long to arrive. */
  readonly timeoutCheckMs: number;
  /** How long a client may read nothing of its response before it is disconnected. */
  readonly stalledMs: number;
  /** How long a stopping server waits for requests in flight before it cuts them off. */
  readonly graceMs: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  maxInFlight: 256,
  maxPerProject: 224,
  maxBegunPerProject: 16,
  maxConnections: 2_048,
  maxRequestsPerConnection: 1_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  timeoutCheckMs: 2_000,
  stalledMs: 30_000,
  graceMs: 8_000,
};

/** Maximum size of a request body. */
export const BODY_MAX_BYTES = 1_048_576;
/** How much of a refused body is read and discarded before the connection is cut. */
export const DRAIN_MAX_BYTES = 64 * 1_048_576;

export const KEEP_ALIVE_TIMEOUT_MS = 15_000;
/** How long a client that sent an unparsable request may take to read the response. */
export const LINGER_MS = 2_000;
