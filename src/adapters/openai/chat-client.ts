import OpenAI, { APIError } from 'openai';
import type { Clock } from '../../ports/driven/clock.js';
import { boundedFetch } from './bounded-fetch.js';
import { completionContent } from './completion-content.js';
import { toModelCallError } from './to-model-call-error.js';

export interface ChatClientOptions {
  /** `http(s)`, with its path (`…/v1`), without credentials; checked with the rest of the configuration. */
  readonly baseUrl: string;
  readonly model: string;
  /** Printable ASCII; absent or empty: no `Authorization` is sent. */
  readonly apiKey?: string | undefined;
  /** Converts the date of a `Retry-After` header into a pause. */
  readonly clock: Clock;
  /** Awaited before every HTTP request, outside its timeout; if it throws, the call fails with that error. */
  readonly admit?: () => Promise<void>;
  readonly maxReplyBytes?: number;
}

export interface ChatQuestion {
  readonly prompt: string;
  readonly answer: 'text' | 'json_object';
  /** For one HTTP request, from the connection to the last byte of the reply. */
  readonly timeoutMs: number;
}

/** Requests chat completions from an OpenAI-compatible endpoint. Failed calls are not retried. */
export class ChatClient {
  readonly #openai: OpenAI;
  readonly #options: ChatClientOptions;
  readonly #inFlight = new Set<AbortController>();
  #takesResponseFormat = true;

  constructor(options: ChatClientOptions) {
    this.#options = options;
    this.#openai = openAiFor(options);
  }

  /**
   * The text of the answer, never blank. If the endpoint refuses `response_format`, which is sent for
   * `json_object`, the call is repeated once without it, and later calls never send it.
   * @throws ModelCallError whose message contains no text of the endpoint, the prompt or the key
   */
  async complete(question: ChatQuestion): Promise<string> {
    try {
      return completionContent(await this.#ask(question));
    } catch (error) {
      throw toModelCallError(error, this.#options.clock.now());
    }
  }

  /** Ends the calls in flight, which then fail as `unreachable`. */
  stop(): void {
    for (const call of this.#inFlight) call.abort();
  }

  async #ask(question: ChatQuestion): Promise<unknown> {
    if (question.answer === 'text' || !this.#takesResponseFormat) return this.#send(question, {});
    try {
      return await this.#send(question, { response_format: { type: 'json_object' } });
    } catch (error) {
      if (!mayRefuseResponseFormat(error)) throw error;
    }
    const completion = await this.#send(question, {});
    this.#takesResponseFormat = false;
    return completion;
  }

  async #send({ prompt, timeoutMs }: ChatQuestion, format: ResponseFormat): Promise<unknown> {
    await this.#options.admit?.();
    const call = new AbortController();
    this.#inFlight.add(call);
    try {
      return await this.#openai.chat.completions.create(
        {
          model: this.#options.model,
          temperature: 0,
          messages: [{ role: 'user', content: prompt }],
          ...format,
        },
        { timeout: timeoutMs, signal: call.signal },
      );
    } finally {
      this.#inFlight.delete(call);
    }
  }
}

interface ResponseFormat {
  readonly response_format?: { readonly type: 'json_object' };
}

const MAX_REPLY_BYTES = 1024 * 1024;
const RESPONSE_FORMAT_REFUSALS: ReadonlySet<number | undefined> = new Set([400, 422, 501]);

function mayRefuseResponseFormat(error: unknown): boolean {
  return error instanceof APIError && RESPONSE_FORMAT_REFUSALS.has(error.status);
}

/**
 * The package reads environment variables of its own: `OPENAI_LOG` would make it print prompts, and
 * `OPENAI_CUSTOM_HEADERS` could replace the key. `boundedFetch` removes the headers that it adds.
 */
function openAiFor({ baseUrl, apiKey = '', maxReplyBytes }: ChatClientOptions): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey === '' ? 'none' : apiKey,
    defaultHeaders: apiKey === '' ? { Authorization: null } : { Authorization: `Bearer ${apiKey}` },
    logLevel: 'off',
    maxRetries: 0,
    fetch: boundedFetch(maxReplyBytes ?? MAX_REPLY_BYTES),
  });
}
