import type { OpenApiDocument } from '../../src/adapters/http/openapi/document.js';
import type { JsonSchema, Operation } from '../../src/adapters/http/openapi/open-api.js';

export type Api = OpenApiDocument;
export type Schema = JsonSchema;

export interface NamedOperation extends Operation {
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly needsToken: boolean;
  /** The fields of the path, the query and the body in one schema. */
  readonly request: Schema;
}

/** The operations of a group. */
export function operationsOf(api: Api, tag: string): readonly NamedOperation[] {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
        needsToken: (operation.security ?? api.security).length > 0,
        request: requestOf(operation),
      })),
  );
}

function requestOf({ parameters = [], requestBody }: Operation): Schema {
  const body = requestBody?.content['application/json']?.schema ?? {};
  const fields = parameters.map(({ name, schema, description, in: place }) => [
    name,
    { ...schema, description: `${description} In the ${place}.` },
  ]);
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    ...body,
    properties: { ...Object.fromEntries(fields), ...body.properties },
    required: [...required, ...(body.required ?? [])],
  };
}
