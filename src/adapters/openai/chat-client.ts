import { ModelCallError } from '../../domain/errors.js';
import { isRecord } from '../../domain/records.js';
import { tryParseJson } from '../../shared/try-parse-json.js';
import { EndpointClient, type EndpointOptions } from './endpoint-client.js';

interface ChatQuestion {
  readonly prompt: string;
  /** Time limit of one HTTP request, from the connection to the last byte of the reply. */
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
   * Returns the text of the answer, which is never blank.
   * @throws ModelCallError whose message contains no text of the endpoint, the prompt or the key
   */
  text(question: ChatQuestion): Promise<string> {
    return this.#send(question, {});
  }

  /**
   * Returns the JSON object of the answer, bare or in a code fence with nothing around it. If the endpoint seems to
   * refuse `response_format`, repeats the call once without it; if that succeeds, later calls never send it.
   * @throws ModelCallError as `text` does
   */
  async object(question: ChatQuestion): Promise<Readonly<Record<string, unknown>>> {
    const answer = (await this.#objectText(question)).trim();
    const value = tryParseJson(FENCED.exec(answer)?.[1] ?? answer);
    if (isRecord(value)) return value;
    throw this.unusable('The answer is not a single JSON object.');
  }

  unusable(reason: string): ModelCallError {
    return this.#endpoint.unusable(reason);
  }

  async #objectText(question: ChatQuestion): Promise<string> {
    if (!this.#takesResponseFormat) return this.#send(question, {});
    try {
      return await this.#send(question, { response_format: { type: 'json_object' } });
    } catch (error) {
      if (!mayRefuseResponseFormat(error)) throw error;
    }
    const answer = await this.#send(question, {});
    this.#takesResponseFormat = false;
    return answer;
  }

  async #send({ prompt, timeoutMs }: ChatQuestion, format: object): Promise<string> {
    const messages = [{ role: 'user', content: prompt }];
    const body = { temperature: 0, messages, ...format };
    return this.#readContent(
      await this.#endpoint.post({ path: '/chat/completions', body, timeoutMs }),
    );
  }

  /** Returns the text of the first choice. @throws ModelCallError if it is missing, blank or cut off */
  #readContent(completion: unknown): string {
    const choices = isRecord(completion) ? completion['choices'] : undefined;
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (!isRecord(choice)) throw this.unusable('The reply is not a chat completion with a choice.');
    const cutOff = CUT_OFF.get(choice['finish_reason']);
    if (cutOff !== undefined) throw this.unusable(cutOff);
    const message = choice['message'];
    const content = isRecord(message) ? message['content'] : undefined;
    if (typeof content === 'string' && content.trim() !== '') return content;
    throw this.unusable('The message is empty.');
  }
}

const CUT_OFF: ReadonlyMap<unknown, string> = new Map([
  ['length', 'It reached the length limit before the end.'],
  ['content_filter', 'It was stopped by a content filter.'],
]);

/** Whether an endpoint may have refused a request because of its `response_format`. */
function mayRefuseResponseFormat(error: unknown): boolean {
  return error instanceof ModelCallError && [400, 422, 501].includes(error.status ?? 0);
}

const FENCED = /^```(?:json)?[ \t]*\r?\n([\s\S]*)\n[ \t]*```$/i;
