import { isRecord } from '../../domain/records.js';
import { unusable } from './unusable-answer.js';

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
