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
  const present = Object.entries(fields).filter(([, value]) => value !== null);
  const checked = schema.safeParse(Object.fromEntries(present));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  // The messages of the schemas in `fields.ts` are the second halves of these sentences.
  const sentence = issue && `${String(issue.path[0])} ${issue.message}.`;
  throw new KnowledgeError('invalid_request', sentence ?? 'The request is not valid.');
}

/** A body as its reader gets it: it is JSON, so nothing in it is undefined. */
export type BodyOf<Schema extends z.ZodType> = Defined<z.output<Schema>>;

type Defined<T> = { readonly [Key in keyof T]: Defined<Exclude<T[Key], undefined>> };

/**
 * The body of a response, with the keys that its schema lists and no others.
 * @throws Error for a body that the schema does not allow, which is a bug; its cause contains keys, but no values
 */
export function writeBody<Schema extends z.ZodObject>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const checked = schema.safeParse(body);
  if (checked.success) return checked.data;
  throw new Error('A response does not match its schema.', { cause: checked.error });
}
