import { isRecord } from '../../domain/records.js';
import { unusable } from './unusable-answer.js';

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
