import type OpenAI from 'openai';
import type { Clock } from '../../ports/driven/clock.js';

/** An OpenAI-compatible endpoint. */
export interface Endpoint {
  /** `http(s)`, with its path (`…/v1`), without credentials; checked with the rest of the configuration. */
  readonly baseUrl: string;
  /** Printable ASCII; absent or empty: no `Authorization` is sent. */
  readonly apiKey?: string | undefined;
  readonly model: string;
}

export interface EndpointOptions extends Endpoint {
  /** What stands behind the endpoint, for messages; default "language model". */
  readonly role?: string;
  /** Converts the date of a `Retry-After` header into a pause. */
  readonly clock: Clock;
  /** Most bytes of a reply; default 1 MiB. */
  readonly maxReplyBytes?: number;
  /** Awaited before every HTTP request, outside its timeout; if it throws, the call fails with that error. */
  readonly admit?: () => Promise<void>;
}

export interface EndpointCall {
  /** Below the base URL, e.g. `/embeddings`. */
  readonly path: string;
  /** Besides the name of the model. */
  readonly body: Readonly<Record<string, unknown>>;
  /** For one HTTP request, from the connection to the last byte of the reply. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Sends JSON to an OpenAI-compatible endpoint. Failed calls are not retried. */
export class EndpointClient {
  readonly #options: EndpointOptions;
  readonly #inFlight = new Set<AbortController>();
  #openai: OpenAI | undefined;

  constructor(options: EndpointOptions) {
    this.#options = options;
  }

  /**
   * The parsed reply.
   * @throws ModelCallError whose message contains no text of the endpoint, the request or the key
   */
  async post(call: EndpointCall): Promise<unknown> {
    await this.#options.admit?.();
    const { openAiFor, toModelCallError } = await import('./open-ai.js');
    // The package is loaded by the first call, since it would take a good part of the start of the service.
    this.#openai ??= openAiFor(this.#options);
    const stopping = new AbortController();
    const signal = AbortSignal.any([stopping.signal, ...(call.signal ? [call.signal] : [])]);
    this.#inFlight.add(stopping);
    try {
      const body = { model: this.#options.model, ...call.body };
      return await this.#openai.post(call.path, { body, timeout: call.timeoutMs, signal });
    } catch (error) {
      const { clock, role = 'language model' } = this.#options;
      throw toModelCallError(error, { now: clock.now(), role });
    } finally {
      this.#inFlight.delete(stopping);
    }
  }

  /** Ends the calls in flight, which then fail as `unreachable`. */
  stop(): void {
    for (const call of this.#inFlight) call.abort();
  }
}
