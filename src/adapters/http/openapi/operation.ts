import { HEALTH_PATH } from '../routes/probe-routes.js';
import type { Route, RouteMethod, SuccessStatus } from '../routes/route.js';
import type { HttpErrorCode } from '../server/http-error.js';
import type { TextRoute } from '../server/text-route.js';
import { errorResponses } from './error-responses.js';
import type { JsonSchema, Operation, Parameter } from './open-api-document.js';
import { operationIdOf, tagOf } from './operation-names.js';

/** A route, and the JSON schemas of its request and response. */
export interface DescribedRoute {
  readonly route: Route;
  readonly request: JsonSchema;
  readonly response: JsonSchema;
}

/** The operation of a route; `access` says whether the service has a token. */
export function operationOf(described: DescribedRoute, access: Access): Operation {
  const { route, response } = described;
  const content = { 'application/json': { schema: response } };
  const successes = (route.statuses ?? [200]).map((status) => [
    status,
    { description: SUCCESSES[status], content },
  ]);
  const isOpen = access === 'open' || route.path === HEALTH_PATH;
  return {
    operationId: operationIdOf(route.path),
    tags: [tagOf(route.path)],
    summary: route.summary,
    ...(isOpen && access === 'token' && { security: [] }),
    ...INPUT[route.method](described),
    responses: {
      ...Object.fromEntries(successes),
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

const SUCCESSES: Readonly<Record<SuccessStatus, string>> = {
  200: 'Success.',
  201: 'Success: something was created.',
};

/** The operation of a route of plain text. */
export function textOperationOf(
  { path, summary, description }: TextRoute,
  access: Access,
): Operation {
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
  GET: ({ request }) => {
    const parameters = parametersOf(request);
    return parameters.length === 0 ? {} : { parameters };
  },
  POST: ({ request }) => ({
    requestBody: { required: true, content: { 'application/json': { schema: request } } },
  }),
};

function parametersOf({ properties = {}, required = [] }: JsonSchema): readonly Parameter[] {
  return Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, { description = '', ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema,
    }),
  );
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
};
