import type OpenAI from 'openai';
import type { Clock } from '../../ports/driven/clock.js';
import { completionContent } from './completion-content.js';
import type { Endpoint } from './open-ai.js';

export interface ChatClientOptions extends Endpoint {
  readonly model: string;
  /** Converts the date of a `Retry-After` header into a pause. */
  readonly clock: Clock;
  /** Awaited before every HTTP request, outside its timeout; if it throws, the call fails with that error. */
  readonly admit?: () => Promise<void>;
}

export interface ChatQuestion {
  readonly prompt: string;
  readonly answer: 'text' | 'json_object';
  /** For one HTTP request, from the connection to the last byte of the reply. */
  readonly timeoutMs: number;
}

/** Requests chat completions from an OpenAI-compatible endpoint. Failed calls are not retried. */
export class ChatClient {
  #openai: OpenAI | undefined;
  readonly #options: ChatClientOptions;
  readonly #inFlight = new Set<AbortController>();
  #takesResponseFormat = true;

  constructor(options: ChatClientOptions) {
    this.#options = options;
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
      const { toModelCallError } = await import('./to-model-call-error.js');
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
      const { mayRefuseResponseFormat } = await import('./open-ai.js');
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
      const { chat } = await this.#client();
      return await chat.completions.create(
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

  /** The package is loaded by the first call, since it would take a good part of the start of the service. */
  async #client(): Promise<OpenAI> {
    const { openAiFor } = await import('./open-ai.js');
    this.#openai ??= openAiFor(this.#options);
    return this.#openai;
  }
}

interface ResponseFormat {
  readonly response_format?: { readonly type: 'json_object' };
}
