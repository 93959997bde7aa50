import * as z from 'zod';
import type { JsonSchema } from './open-api-document.js';

/** Schemas of an OpenAPI document: inline ones, and those with a name under `components`. */
export interface JsonSchemas {
  /** In the order of the zod schemas that were given. */
  readonly inline: readonly JsonSchema[];
  readonly named: Readonly<Record<string, JsonSchema>>;
}

/** Schemas of what a client sends. */
export function requestSchemas(schemas: readonly z.ZodObject[]): JsonSchemas {
  return jsonSchemas(schemas, 'input');
}

/** Schemas of what a client receives. */
export function responseSchemas(schemas: readonly z.ZodObject[]): JsonSchemas {
  return jsonSchemas(schemas, 'output');
}

/** All at once, so that a shape with a name is described once. */
function jsonSchemas(schemas: readonly z.ZodObject[], io: 'input' | 'output'): JsonSchemas {
  const { prefixItems = [], $defs = {} } = z.toJSONSchema(z.tuple(asTuple(schemas)), {
    target: 'draft-2020-12',
    io,
    override: ({ jsonSchema }) => withoutVacuousMaximum(jsonSchema),
  });
  return {
    inline: prefixItems.map((schema) => relocated(schema) as JsonSchema),
    named: relocated($defs) as JsonSchemas['named'],
  };
}

function asTuple(schemas: readonly z.ZodObject[]): [z.ZodObject, ...z.ZodObject[]] {
  const [first = z.object({}), ...others] = schemas;
  return [first, ...others];
}

/** zod limits every integer to the safe ones. JSON numbers have that limit anyway. */
function withoutVacuousMaximum(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** References point to where OpenAPI keeps schemas. */
function relocated(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(relocated);
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      key === '$ref'
        ? String(value).replace('#/$defs/', '#/components/schemas/')
        : relocated(value),
    ]),
  );
}
