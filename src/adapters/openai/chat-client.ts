import { ModelCallError } from '../../domain/errors.js';
import { completionContent } from './answers.js';
import { EndpointClient, type EndpointOptions } from './endpoint-client.js';

export interface ChatQuestion {
  readonly prompt: string;
  readonly answer: 'text' | 'json_object';
  /** For one HTTP request, from the connection to the last byte of the reply. */
  readonly timeoutMs: number;
}

/** Requests chat completions from an OpenAI-compatible endpoint. Failed calls are not retried. */
export class ChatClient {
  readonly #endpoint: EndpointClient;
  #takesResponseFormat = true;

  constructor(options: EndpointOptions) {
    this.#endpoint = new EndpointClient(options);
  }

  /**
   * The text of the answer, never blank. If the endpoint refuses `response_format`, which is sent for
   * `json_object`, the call is repeated once without it, and later calls never send it.
   * @throws ModelCallError whose message contains no text of the endpoint, the prompt or the key
   */
  async complete(question: ChatQuestion): Promise<string> {
    return completionContent(await this.#ask(question));
  }

  /** Ends the calls in flight, which then fail as `unreachable`. */
  stop(): void {
    this.#endpoint.stop();
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

  #send({ prompt, timeoutMs }: ChatQuestion, format: Readonly<Record<string, unknown>>) {
    const messages = [{ role: 'user', content: prompt }];
    const body = { temperature: 0, messages, ...format };
    return this.#endpoint.post({ path: '/chat/completions', body, timeoutMs });
  }
}

/** Whether an endpoint may have refused a request because of its `response_format`. */
function mayRefuseResponseFormat(error: unknown): boolean {
  return error instanceof ModelCallError && RESPONSE_FORMAT_REFUSALS.has(error.status);
}

const RESPONSE_FORMAT_REFUSALS: ReadonlySet<number | undefined> = new Set([400, 422, 501]);
