import type * as z from 'zod';
import { invalidRequest } from '../domain/errors.js';
import { isRecord } from '../domain/records.js';

/** The fields of a checked request. */
export type Request<Schema extends z.ZodType> = z.output<Schema>;

/** The fields of a request that a method does not take as positional arguments. */
export type Fields<
  Schema extends z.ZodType,
  Positional extends PropertyKey = 'projectPath',
> = DeepReadonly<Omit<z.output<Schema>, Positional>>;

/** The response to a request; keys without a value may be undefined and are then omitted from the body. */
export type Answer<Schema extends z.ZodType> = DeepReadonly<z.input<Schema>>;

/** An answer as its reader gets it: as JSON, without undefined values. */
export type BodyOf<Schema extends z.ZodType> = Defined<z.output<Schema>>;

type DeepReadonly<T> = { readonly [Key in keyof T]: DeepReadonly<T[Key]> };

/** A type without its undefined values. */
export type Defined<T> = { readonly [Key in keyof T]: Defined<Exclude<T[Key], undefined>> };

/**
 * Checks the fields of a request. `null` counts as absent; unknown fields are dropped.
 * @throws KnowledgeError `invalid_request`, which names the first wrong field
 */
export function readFields<Schema extends z.ZodObject>(
  schema: Schema,
  fields: unknown,
): z.output<Schema> {
  if (!isRecord(fields)) throw invalidRequest('The body must be a JSON object.');
  const present = Object.entries(fields).filter(([, value]) => value !== null);
  return checkFields(schema, Object.fromEntries(present));
}

/**
 * Checks arguments passed by a program; `undefined` counts as absent, `null` is a value.
 * @throws KnowledgeError `invalid_request`, which names the first wrong one
 */
export function checkFields<Schema extends z.ZodObject>(
  schema: Schema,
  fields: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const checked = schema.safeParse(Object.fromEntries(given));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const [name] = issue?.path ?? [];
  // The message of a rule for one field is the second half of this sentence. Any other message is a whole sentence.
  const sentence = name === undefined ? issue?.message : `${String(name)} ${issue?.message}.`;
  throw invalidRequest(sentence ?? 'The request is not valid.');
}

/**
 * The body of a response, limited to the keys in its schema.
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
