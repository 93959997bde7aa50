import { oneLine, visibleText } from '../../../domain/lessons/lesson-text.js';
import { isRecord } from '../../../domain/records.js';
import type { ToolAnswer } from '../tools/tool.js';
import { answerTokens } from './budget.js';

/**
 * The answer as data, for clients that hand nothing else to the model: the text, and beside it ids, places and numbers. All
 * of it takes at most 1.25 times the budget and 100 tokens: lists lose their last entries, longest lists first, and `left`
 * counts them.
 */
export function structuredContentOf(
  { text, data }: ToolAnswer,
  maxTokens: number,
): Record<string, unknown> {
  const limit = Math.floor(maxTokens * 1.25 + 100);
  let fitting = visible({ text, ...data }) as Record<string, unknown>;
  let left = 0;
  const cut = (name: string, list: readonly unknown[], length: number) => {
    left += list.length - length;
    fitting = { ...fitting, [name]: list.slice(0, length) };
  };
  // An entry takes at least a token.
  for (const [name, list] of listsIn(fitting)) cut(name, list, Math.min(list.length, limit));
  for (;;) {
    const content = left === 0 ? fitting : { ...fitting, left };
    if (answerTokens(JSON.stringify(content)) <= limit) return content;
    const [longest] = listsIn(fitting).toSorted(([, a], [, b]) => b.length - a.length);
    if (longest === undefined) return content;
    const [name, list] = longest;
    cut(name, list, Math.floor(list.length * SHORTER));
  }
}

const SHORTER = 0.9;

function listsIn(
  content: Readonly<Record<string, unknown>>,
): readonly (readonly [string, readonly unknown[]])[] {
  return Object.entries(content).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0 ? [[name, value] as const] : [],
  );
}

/** A value without characters that nobody sees but a model reads; each text beside the first is on one line. */
function visible(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return key === 'text' ? visibleText(value) : oneLine(value);
  if (Array.isArray(value)) return value.map((one) => visible(one));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, visible(one, name)]));
}
