import type * as z from 'zod';

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
