import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { createDocument } from '../../src/adapters/http/openapi/create-document.js';
import type {
  OpenApiDocument,
  Operation,
} from '../../src/adapters/http/openapi/open-api-document.js';
import { hybridApi } from '../../src/adapters/http/routes/hybrid-api.js';
import { healthRoute, readyRoute } from '../../src/adapters/http/routes/probe-routes.js';
import { searchOnlyApi } from '../../src/adapters/http/routes/search-only-api.js';
import { ConcurrencyLimit } from '../../src/adapters/http/server/concurrency-limit.js';
import { FakeKnowledgeStore } from '../fakes/fake-knowledge-store.js';

/** A response as far as an OpenAPI document describes it. */
export interface DescribedResponse {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Why a response does not fit a document; undefined if it does. */
export type FindMisfit = (response: DescribedResponse) => string | undefined;

/** Compares responses of documented routes with a document. */
export function misfitsOf(document: OpenApiDocument): FindMisfit {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'components']);
  ajv.addSchema(document, DOCUMENT);
  return ({ method, path, status, headers, body }) => {
    const response = operationOf(document, method, path)?.responses[status];
    if (response === undefined) return `${method} ${path}: status ${status} is not described`;
    const missing = Object.keys(response.headers ?? {}).filter(
      (name) => headers[name.toLowerCase()] === undefined,
    );
    const validate = validatorAt(ajv, method, path, status);
    if (missing.length === 0 && validate(body)) return undefined;
    return `${method} ${path}, ${status}: ${missing.join()} ${ajv.errorsText(validate.errors)}`;
  };
}

/** The operation that a request is for; HEAD is served by GET. */
export function operationOf(
  { paths }: OpenApiDocument,
  method: string,
  path: string,
): Operation | undefined {
  return paths[path]?.[keyOf(method)];
}

const DOCUMENT = 'http://document';

function keyOf(method: string): 'get' | 'post' {
  return method === 'POST' ? 'post' : 'get';
}

function validatorAt(ajv: Ajv2020, method: string, path: string, status: number): ValidateFunction {
  const pointer = ['paths', path, keyOf(method), 'responses', String(status), 'content']
    .concat('application/json', 'schema')
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
  const validate = ajv.getSchema(`${DOCUMENT}#/${pointer.join('/')}`);
  if (validate === undefined) throw new Error(`There is no schema at ${pointer.join('/')}.`);
  return validate as ValidateFunction;
}
