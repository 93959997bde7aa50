import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

/**
 * A schema that is listed but not checked by the SDK, whose error is the whole list of what zod found;
 * the tool itself checks its arguments, and fails with one sentence.
 */
export function unchecked(schema: z.ZodObject): StandardSchemaWithJSON<unknown> {
  const { jsonSchema, vendor, version } = schema['~standard'];
  return { '~standard': { jsonSchema, vendor, version, validate: (value) => ({ value }) } };
}
