import { invalidRequest } from '../../domain/errors.js';
import { isRecord } from '../../domain/records.js';

/** @throws KnowledgeError `invalid_request` */
export function record(name: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw invalidRequest(`${name} must be an object.`);
}
