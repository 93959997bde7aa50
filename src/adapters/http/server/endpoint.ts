/** A path whose protocol is none of REST, served behind the same guards. */
export interface Endpoint {
  readonly path: string;
  /**
   * @param request without its body
   * @param body parsed, if the request is a POST: at most 1 MiB of JSON
   */
  readonly serve: (request: Request, body: unknown) => Promise<Response>;
  /** Ends responses that are still being sent. Idempotent. */
  readonly close: () => Promise<void>;
}
