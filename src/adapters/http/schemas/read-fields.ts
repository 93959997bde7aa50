import type { z } from 'zod';
import { KnowledgeError } from '../../../domain/errors.js';

/** The fields of a request before they are checked: of its JSON body, or of its query for a GET. */
export type RawFields = Readonly<Record<string, unknown>>;

/**
 * Checks the fields of a request; `null` counts as absent, unknown fields are dropped.
 * @throws KnowledgeError `invalid_request`, whose sentence names the first wrong field
 */
export function readFields<Schema extends z.ZodObject>(
  schema: Schema,
  fields: RawFields,
): z.output<Schema> {
  const checked = schema.safeParse(withoutNulls(fields));
  if (checked.success) return checked.data;
  throw new KnowledgeError('invalid_request', sentence(checked.error.issues[0]));
}

function withoutNulls(fields: RawFields): RawFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** The messages of the schemas in `fields.ts` are the second halves of these sentences. */
function sentence(issue: z.core.$ZodIssue | undefined): string {
  return issue === undefined
    ? 'The request is not valid.'
    : `${String(issue.path[0])} ${issue.message}.`;
}
