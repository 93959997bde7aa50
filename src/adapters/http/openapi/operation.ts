import type * as z from 'zod';
import { hasBody, pathFields, type Route } from '../../../app/routes/route.js';
import type { HttpErrorCode } from '../server/http-error.js';
import type { Page } from '../server/register-routes.js';
import { errorResponses } from './error-responses.js';
import type { Content, JsonSchema, Operation, Parameter } from './open-api.js';

/** Whether a request needs a token. */
export type Access = 'open' | 'token';

interface OperationOptions {
  readonly access: Access;
  readonly schemaOf: (schema: z.ZodObject, io: 'input' | 'output') => JsonSchema;
}

export function describeOperation(route: Route, { access, schemaOf }: OperationOptions): Operation {
  const { path, method, summary, created } = route;
  const isOpen = access === 'open' || route.openKeys !== undefined;
  const codes = [...route.errors, ...EVERY_ROUTE, ...(hasBody(method) ? EVERY_BODY : [])];
  return {
    operationId: route.operationId ?? operationId(path),
    tags: [tagFor(path)],
    summary,
    ...(isOpen && access === 'token' && { security: [] }),
    ...describeInput(route, schemaOf(route.request, 'input')),
    responses: {
      200: { description: 'Success.', content: json(schemaOf(route.response, 'output')) },
      ...(created && {
        201: { description: 'Created.', content: json(schemaOf(created, 'output')) },
      }),
      ...errorResponses(new Set([...codes, ...(isOpen ? [] : [UNAUTHORIZED])])),
    },
  };
}

/** Describes the operation of a plain-text page. */
export function describePage({ path, documentation }: Page, access: Access): Operation {
  const { summary = '', description = '' } = documentation ?? {};
  const content = { 'text/plain': { schema: { type: 'string', description } as const } };
  const codes = [...EVERY_ROUTE, ...(access === 'token' ? [UNAUTHORIZED] : [])];
  return {
    operationId: operationId(path),
    tags: [tagFor(path)],
    summary,
    responses: { 200: { description: 'Success.', content }, ...errorResponses(new Set(codes)) },
  };
}

const UNAUTHORIZED: HttpErrorCode = 'unauthorized';
const EVERY_ROUTE: readonly HttpErrorCode[] = [
  'invalid_request',
  'host_not_allowed',
  'origin_not_allowed',
  'internal',
];
const EVERY_BODY: readonly HttpErrorCode[] = ['too_large', 'unsupported_media_type'];

/** Describes the fields of a request: those of the path and the query as parameters, those of a body as a schema. */
function describeInput({ method, path }: Route, request: JsonSchema) {
  const inPath = pathFields(path);
  const { properties = {}, required = [] } = request;
  const fields = Object.entries(properties as Readonly<Record<string, JsonSchema>>);
  const isParameter = (name: string) => !hasBody(method) || inPath.includes(name);
  const parameters = fields.flatMap(([name, { description = '', ...schema }]) => {
    const place = inPath.includes(name) ? 'path' : 'query';
    const parameter = { name, in: place, required: required.includes(name), description, schema };
    return isParameter(name) ? [parameter as Parameter] : [];
  });
  const body = {
    ...request,
    properties: Object.fromEntries(fields.filter(([name]) => !isParameter(name))),
    required: required.filter((name) => !isParameter(name)),
  };
  return {
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody(method) && { requestBody: { required: true, content: json(body) } as const }),
  };
}

function json(schema: JsonSchema): Content {
  return { 'application/json': { schema } };
}

/** The path without the prefix of its group, in camel case: `ingestAgentOutputs`. */
function operationId(path: string): string {
  return path
    .replace(/^\/(api\/knowledge\/(x\/)?)?/, '')
    .replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase());
}

function tagFor(path: string): string {
  if (path.startsWith('/api/knowledge/x/')) return 'Extensions';
  return path.startsWith('/api/knowledge/') ? 'Knowledge' : 'Service';
}

/** The tags, in the order of the document. */
export const TAGS = [
  { name: 'Knowledge', description: 'Indexing and searching the knowledge of a project.' },
  {
    name: 'Extensions',
    description: 'Lessons, similar chunks, notes, web pages, digests, sources, upkeep and status.',
  },
  { name: 'Service', description: 'The state of the service itself.' },
];
