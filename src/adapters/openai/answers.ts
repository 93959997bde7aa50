import { ModelCallError } from '../../domain/errors.js';
import { isRecord } from '../../domain/records.js';

/**
 * The text of a chat completion's first choice.
 * @throws ModelCallError `unusable` if there is no choice, its text is blank, or the model was cut off
 */
export function completionContent(completion: unknown): string {
  const choices = isRecord(completion) ? completion['choices'] : undefined;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isRecord(choice)) throw unusable('The reply is not a chat completion with a choice.');
  const cutOff = CUT_OFF.get(choice['finish_reason']);
  if (cutOff !== undefined) throw unusable(cutOff);
  const message = choice['message'];
  const content = isRecord(message) ? message['content'] : undefined;
  if (typeof content === 'string' && content.trim() !== '') return content;
  throw unusable('The message is empty.');
}

const CUT_OFF: ReadonlyMap<unknown, string> = new Map([
  ['length', 'It reached the length limit before the end.'],
  ['content_filter', 'It was stopped by a content filter.'],
]);

/**
 * The JSON object of a model's answer, bare or inside one code fence with nothing around it.
 * @throws ModelCallError `unusable` for anything else
 */
export function readJsonObject(answer: string): Readonly<Record<string, unknown>> {
  const value = parsed(unfenced(answer.trim()));
  if (isRecord(value)) return value;
  throw unusable('The answer is not one JSON object.');
}

const FENCED = /^```(?:json)?[ \t]*\r?\n([\s\S]*)\n[ \t]*```$/i;

function unfenced(answer: string): string {
  return FENCED.exec(answer)?.[1] ?? answer;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The endpoint's answer cannot be used; `reason` is a complete sentence. */
export function unusable(reason: string, role = 'language model'): ModelCallError {
  return new ModelCallError('unusable', `The ${role} gave no usable answer. ${reason}`);
}
