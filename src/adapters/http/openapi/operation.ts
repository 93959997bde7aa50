import { HEALTH_PATH } from '../routes/probe-routes.js';
import type { Page } from '../routes/register-routes.js';
import { pathFields, type Route, type RouteMethod } from '../routes/route.js';
import type { HttpErrorCode } from '../server/http-error.js';
import { errorResponses } from './error-responses.js';
import type { JsonSchema, Operation, Parameter } from './open-api-document.js';
import { operationIdOf, tagOf } from './operation-names.js';

/** A route, and the JSON schemas of its request and its responses. */
export interface DescribedRoute {
  readonly route: Route;
  readonly request: JsonSchema;
  readonly response: JsonSchema;
  /** Counts only if the route has a 201. */
  readonly created: JsonSchema;
}

/** The operation of a route; `access` says whether the service has a token. */
export function operationOf(described: DescribedRoute, access: Access): Operation {
  const { route, response, created } = described;
  const isOpen = access === 'open' || route.path === HEALTH_PATH;
  return {
    operationId: route.operationId ?? operationIdOf(route.path),
    tags: [tagOf(route.path)],
    summary: route.summary,
    ...(isOpen && access === 'token' && { security: [] }),
    ...INPUT[route.method](described),
    responses: {
      200: { description: 'Success.', content: { 'application/json': { schema: response } } },
      ...(route.created !== undefined && {
        201: { description: 'Created.', content: { 'application/json': { schema: created } } },
      }),
      ...errorResponses(
        new Set([
          ...route.errors,
          ...ERRORS_OF_EVERY_ROUTE,
          ...ERRORS_OF_METHOD[route.method],
          ...(isOpen ? [] : [UNAUTHORIZED]),
        ]),
      ),
    },
  };
}

/** The operation of a page of plain text. */
export function pageOperationOf({ path, documentation }: Page, access: Access): Operation {
  const { summary = '', description = '' } = documentation ?? {};
  const codes = [...ERRORS_OF_EVERY_ROUTE, ...(access === 'token' ? [UNAUTHORIZED] : [])];
  return {
    operationId: operationIdOf(path),
    tags: [tagOf(path)],
    summary,
    responses: {
      200: {
        description: 'Success.',
        content: { 'text/plain': { schema: { type: 'string', description } } },
      },
      ...errorResponses(new Set(codes)),
    },
  };
}

const UNAUTHORIZED: HttpErrorCode = 'unauthorized';

/** Whether a request needs a token. */
export type Access = 'open' | 'token';

type Input = Pick<Operation, 'parameters' | 'requestBody'>;

const INPUT: Readonly<Record<RouteMethod, (described: DescribedRoute) => Input>> = {
  GET: withQuery,
  POST: withBody,
  PUT: withBody,
  DELETE: withQuery,
};

function withQuery({ route, request }: DescribedRoute): Input {
  const parameters = parametersOf(request, pathFields(route.path));
  return parameters.length === 0 ? {} : { parameters };
}

function withBody({ route, request }: DescribedRoute): Input {
  const inPath = pathFields(route.path);
  const parameters = parametersOf(request, inPath).filter(({ name }) => inPath.includes(name));
  const schema = withoutProperties(request, inPath);
  return {
    ...(parameters.length > 0 && { parameters }),
    requestBody: { required: true, content: { 'application/json': { schema } } },
  };
}

function parametersOf(
  { properties = {}, required = [] }: JsonSchema,
  inPath: readonly string[],
): readonly Parameter[] {
  return Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, { description = '', ...schema }]) => ({
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: required.includes(name),
      description,
      schema,
    }),
  );
}

function withoutProperties(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const { properties = {}, required = [] } = schema;
  if (names.length === 0) return schema;
  const isKept = ([name]: readonly [string, unknown]) => !names.includes(name);
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(isKept)),
    required: required.filter((name) => !names.includes(name)),
  };
}

const ERRORS_OF_EVERY_ROUTE: readonly HttpErrorCode[] = [
  'invalid_request',
  'host_not_allowed',
  'origin_not_allowed',
  'internal',
];

const ERRORS_OF_METHOD: Readonly<Record<RouteMethod, readonly HttpErrorCode[]>> = {
  GET: [],
  POST: ['too_large', 'unsupported_media_type'],
  PUT: ['too_large', 'unsupported_media_type'],
  DELETE: [],
};
