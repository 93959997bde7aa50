import type OpenAI from 'openai';
import { ModelCallError, type ModelCallFailure } from '../../domain/errors.js';
import type { Clock } from '../../ports/clock.js';

/** An OpenAI-compatible endpoint. */
export interface Endpoint {
  /** `http(s)`, with its path (`…/v1`), without credentials; checked with the rest of the configuration. */
  readonly baseUrl: string;
  /** Printable ASCII. If it is absent or empty, no `Authorization` header is sent. */
  readonly apiKey?: string | undefined;
  readonly model: string;
}

export interface EndpointOptions extends Endpoint {
  /** Name of the model behind the endpoint, for messages; default "language model". */
  readonly role?: string;
  /** Ends the calls in flight and all later ones, which fail as `unreachable`. */
  readonly signal: AbortSignal;
  /** Converts the date of a `Retry-After` header into a pause. */
  readonly clock: Pick<Clock, 'now'>;
  /** Maximum size of a reply in bytes; default 1 MiB. */
  readonly maxReplyBytes?: number;
}

interface EndpointCall {
  /** Relative to the base URL, e.g. `/embeddings`. */
  readonly path: string;
  /** The fields of the request, without the name of the model. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Time limit of one HTTP request, from the connection to the last byte of the reply. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Sends JSON to an OpenAI-compatible endpoint with the package `openai`. Follows no redirects and does not retry. */
export class EndpointClient {
  readonly #options: EndpointOptions;
  readonly #role: string;
  #openai: Promise<OpenAI> | undefined;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#role = options.role ?? 'language model';
  }

  /**
   * Sends a request and returns the parsed reply.
   * @throws ModelCallError whose message contains no text of the endpoint, the request or the key
   */
  async post(call: EndpointCall): Promise<unknown> {
    const timeout = AbortSignal.timeout(call.timeoutMs);
    const stops = [this.#options.signal, ...(call.signal === undefined ? [] : [call.signal])];
    const signal = AbortSignal.any([timeout, ...stops]);
    try {
      this.#openai ??= this.#connect();
      const body = { model: this.#options.model, ...call.body };
      return await (await this.#openai).post(call.path, { body, signal });
    } catch (error) {
      if (stops.some(({ aborted }) => aborted)) throw this.#unreachable('The call was stopped');
      if (timeout.aborted) throw this.#unreachable('It did not respond in time');
      throw this.#readable(error);
    }
  }

  /** Creates the error for a reply that cannot be used; `reason` is a complete sentence. */
  unusable(reason: string): ModelCallError {
    return new ModelCallError('unusable', `The ${this.#role} gave no usable answer. ${reason}`);
  }

  /** Loads the package `openai` with the first call, because it would slow down the start of the service. */
  async #connect(): Promise<OpenAI> {
    const { default: OpenAI } = await import('openai');
    const { baseUrl, apiKey = '' } = this.#options;
    return new OpenAI({
      baseURL: baseUrl,
      // Without a key, the package would read one from the environment, or throw.
      apiKey: apiKey === '' ? 'none' : apiKey,
      // Otherwise, OPENAI_LOG could turn on a log of the requests.
      logLevel: 'off',
      maxRetries: 0,
      fetch: (url, init) => this.#send(String(url), init),
    });
  }

  /**
   * Sends only the headers that the protocol needs, without the package's own. Reads the whole reply, so that aborting
   * also ends a slow one.
   */
  async #send(url: string, init: RequestInit = {}): Promise<Response> {
    const { apiKey = '', maxReplyBytes = MAX_REPLY_BYTES } = this.#options;
    const headers = {
      accept: 'application/json',
      ...JSON_TYPE,
      ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
    };
    const reply = await fetch(url, { ...init, headers, redirect: 'manual' });
    if (reply.ok) return new Response(await readText(reply, maxReplyBytes), { headers: JSON_TYPE });
    // The body is not read, because it may repeat the prompt or the key.
    await reply.body?.cancel();
    throw this.#statusError(reply);
  }

  #statusError({ status, headers }: Response): ModelCallError {
    const message = `The endpoint of the ${this.#role} responded with ${status}${hintFor(status)}.`;
    const pause = retryAfterMs(headers, this.#options.clock.now());
    const options = { status, ...(pause !== undefined && { retryAfterMs: pause }) };
    return new ModelCallError(failureFor(status), message, options);
  }

  /**
   * Converts any failure to an error that is safe to show. The text of a network error may come from the endpoint, so
   * only its code is passed on.
   */
  #readable(failure: unknown): ModelCallError {
    // The package wraps the errors of its fetch.
    const error = failure instanceof Error ? (failure.cause ?? failure) : failure;
    if (error instanceof ModelCallError) return error;
    if (error instanceof SyntaxError) return this.unusable('The reply is not JSON.');
    if (error instanceof ReplyTooLargeError) return this.unusable(error.message);
    const code = systemCode(error);
    return this.#unreachable(`The connection failed${code === undefined ? '' : ` (${code})`}`);
  }

  #unreachable(reason: string): ModelCallError {
    return new ModelCallError('unreachable', `The ${this.#role} cannot be reached. ${reason}.`);
  }
}

/** Header of requests. It is also set on replies, so that the package always reads them as JSON. */
const JSON_TYPE = { 'content-type': 'application/json' };

const MAX_REPLY_BYTES = 1024 * 1024;

class ReplyTooLargeError extends Error {}

async function readText({ body }: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (maxBytes < size)
      throw new ReplyTooLargeError(`The reply is longer than ${maxBytes} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code ?? systemCode(error.cause);
}

function failureFor(status: number): ModelCallFailure {
  if (status === 429) return 'throttled';
  if (status === 408) return 'unreachable';
  return 500 <= status ? 'failed' : 'refused';
}

function hintFor(status: number): string {
  if (300 <= status && status < 400) return ': redirects are not followed, check the base URL';
  if (status === 401 || status === 403) return ': check the key';
  return status === 404 ? ': check the base URL and the name of the model' : '';
}

/** Longest pause that a reply can ask for: one hour. Longer ones are shortened to it. */
export const RETRY_AFTER_MAX_MS = 3_600_000;

/**
 * Returns the pause that a reply asks for, in milliseconds from 0 to {@link RETRY_AFTER_MAX_MS}: from the header
 * `retry-after-ms`, or else from `Retry-After` in seconds or as an HTTP date. Undefined if neither is valid.
 */
export function retryAfterMs(headers: Headers, now: Date): number | undefined {
  const value = headers.get('retry-after') ?? '';
  const seconds = parseNumber(value);
  const date = Date.parse(value);
  const pause =
    parseNumber(headers.get('retry-after-ms') ?? '') ??
    (seconds === undefined ? date - now.getTime() : seconds * 1000);
  return Number.isNaN(pause) ? undefined : Math.min(Math.max(0, pause), RETRY_AFTER_MAX_MS);
}

function parseNumber(value: string): number | undefined {
  const number = Number(value);
  return value.trim() !== '' && Number.isFinite(number) ? number : undefined;
}
