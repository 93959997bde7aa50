import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenApiDocument } from '../../src/adapters/http/openapi/document.js';
import type { JsonSchema, Operation, PathItem } from '../../src/adapters/http/openapi/open-api.js';

/** A response, with the parts that an OpenAPI document describes. */
export interface DescribedResponse {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Returns why a response does not match a document; undefined if it does. */
type FindMisfit = (response: DescribedResponse) => string | undefined;

/** Compares responses with a document, which must describe their routes. */
export function misfitsOf(document: OpenApiDocument): FindMisfit {
  const validatorOf = schemaCompiler(document);
  return ({ method, path, status, headers, body }) => {
    const response = operationOf(document, method, path)?.responses[status];
    if (response === undefined) return `${method} ${path}: status ${status} is not described`;
    const missing = Object.keys(response.headers ?? {}).filter(
      (name) => headers[name.toLowerCase()] === undefined,
    );
    const { schema } = response.content['application/json'] ?? {};
    if (schema === undefined) return undefined;
    const validate = validatorOf(schema);
    if (missing.length === 0 && validate(body)) return undefined;
    return `${method} ${path}, ${status}: ${missing.join()} ${JSON.stringify(validate.errors)}`;
  };
}

/** The operations of a document, each with its path and its method in upper case. */
export function operationsOf({ paths }: Pick<OpenApiDocument, 'paths'>) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** The operation that a request calls. HEAD counts as GET. */
export function operationOf(
  { paths }: OpenApiDocument,
  method: string,
  path: string,
): Operation | undefined {
  const key = METHODS[method];
  const known = Object.keys(paths).find((template) => patternOf(template).test(path));
  return key && paths[known ?? '']?.[key];
}

const METHODS: Readonly<Record<string, keyof PathItem>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'post',
  PUT: 'put',
  DELETE: 'delete',
};

/** A pattern for the paths of a template, in which `{id}` stands for one segment. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** Compiles schemas that refer to the components of a document, each of them once. */
function schemaCompiler({ components }: OpenApiDocument): (schema: JsonSchema) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, strictTypes: false });
  ajv.addKeyword('components');
  const compiled = new Map<JsonSchema, ValidateFunction>();
  return (schema) => {
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components });
    compiled.set(schema, validate);
    return validate;
  };
}
