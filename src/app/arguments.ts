import { KnowledgeError } from '../domain/errors.js';
import { FIELDS } from '../domain/fields.js';
import type { Rule } from '../domain/value-rule.js';

/**
 * Checks arguments at run time: every `required` one, and each `optional` one that is not undefined.
 * Names without a rule are ignored.
 * @throws KnowledgeError `invalid_request` that names the first invalid argument
 */
export function checkArguments(required: Arguments, optional: Arguments = {}): void {
  for (const [name, value] of Object.entries(required)) check(name, value);
  for (const [name, value] of Object.entries(optional)) {
    if (value !== undefined) check(name, value);
  }
}

/** Values by the name of their rule. */
export type Arguments = { readonly [Name in keyof typeof FIELDS]?: unknown };

const RULE_OF: ReadonlyMap<string, Rule> = new Map(Object.entries(FIELDS));

function check(name: string, value: unknown): void {
  const rule = RULE_OF.get(name);
  if (rule !== undefined) checkRule(name, value, rule);
}

/** @throws KnowledgeError `invalid_request` */
export function checkRule(name: string, value: unknown, rule: Rule): void {
  if (!rule.accepts(value)) throw invalidRequest(`${name} ${rule.must}.`);
}

/** @throws KnowledgeError `invalid_request` if a text is blank or longer than `max` characters */
export function checkText(name: string, text: string, max: number): void {
  if (text.trim() === '') throw invalidRequest(`${name} must not be blank.`);
  if (text.length > max) throw invalidRequest(`${name} must have at most ${max} characters.`);
}

export function invalidRequest(sentence: string): KnowledgeError {
  return new KnowledgeError('invalid_request', sentence);
}
