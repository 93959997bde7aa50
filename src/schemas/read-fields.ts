import type * as z from 'zod';
import { KnowledgeError } from '../domain/errors.js';
import { isRecord } from '../domain/records.js';

/**
 * Checks the fields of a request. `null` counts as absent; unknown fields are dropped.
 * @throws KnowledgeError `invalid_request`, whose sentence names the first wrong field
 */
export function readFields<Schema extends z.ZodObject>(
  schema: Schema,
  fields: unknown,
): z.output<Schema> {
  if (!isRecord(fields)) {
    throw new KnowledgeError('invalid_request', 'The body must be a JSON object.');
  }
  const checked = schema.safeParse(withoutNulls(fields));
  if (checked.success) return checked.data;
  throw new KnowledgeError('invalid_request', sentenceOf(checked.error.issues[0]));
}

/** Fields before they are checked. */
type RawFields = Readonly<Record<string, unknown>>;

function withoutNulls(fields: RawFields): RawFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** The messages of the schemas in `fields.ts` are the second halves of these sentences. */
function sentenceOf(issue: z.core.$ZodIssue | undefined): string {
  return issue === undefined
    ? 'The request is not valid.'
    : `${String(issue.path[0])} ${issue.message}.`;
}
