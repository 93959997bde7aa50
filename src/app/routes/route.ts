import type * as z from 'zod';
import type { ErrorCode } from '../../domain/errors.js';
import { type Answer, readFields, writeBody } from '../../schemas/checks.js';
import type { Service } from '../service/service.js';

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Whether requests with this method have their fields in a JSON body; otherwise they are in the query string. */
export function hasBody(method: RouteMethod): boolean {
  return method !== 'GET' && method !== 'DELETE';
}

/**
 * Method and path. In a path, `{field}` stands for one percent-encoded segment, which fills that field of the request.
 */
export type RouteName = `${RouteMethod} /${string}`;

/** One route of an API, as data: everything needed to serve and document it. */
export interface Route extends RouteDescription {
  readonly method: RouteMethod;
  readonly path: string;
  /** Error codes of the route, in addition to those common to all routes. */
  readonly errors: readonly ErrorCode[];
  /**
   * Checks the fields, does the work and returns the reply, limited to the keys in its schema.
   * @throws KnowledgeError `invalid_request` for a wrong field, and those in `errors`
   * @throws Error if the service returned something that the schema does not allow
   */
  readonly handle: (fields: unknown) => Promise<Reply>;
}

interface RouteDescription {
  /** Name of the operation for clients; default: made from the path. */
  readonly operationId?: string;
  /** One sentence for the documentation. */
  readonly summary: string;
  /**
   * Set if a client may repeat the request after getting no response. Counting a retrieval twice is harmless. Default:
   * only for GET.
   */
  readonly repeats?: 'safely';
  /** The fields of the path and the JSON body; for GET and DELETE, of the path and the URL query. */
  readonly request: z.ZodObject;
  /** The body of a response with status 200. */
  readonly response: z.ZodObject;
  /** The body of a response with status 201; absent if the route creates nothing. */
  readonly created?: z.ZodObject;
  /** The response keys for a caller without the token; absent if the route requires the token. */
  readonly openKeys?: readonly string[];
}

interface Reply {
  readonly status: 200 | 201;
  /** Limited to the keys in its schema; can be written as JSON. */
  readonly body: unknown;
}

/** Wraps the body of a response with status 201. */
export class Created<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

/** A route not yet bound to the services that do its work. */
export interface RouteOf<Name extends RouteName, Request, Response, Services = Service>
  extends Pick<Route, 'method' | 'path' | 'repeats'> {
  /** Holds types for TypeScript clients; never set at run time. */
  readonly types?: { readonly name: Name; readonly request: Request; readonly response: Response };
  readonly servedBy: (services: Services) => Route;
}

interface RouteDefinition<
  Request extends z.ZodObject,
  Response extends z.ZodObject,
  CreatedBody extends z.ZodObject,
  Services,
> extends RouteDescription {
  readonly request: Request;
  readonly response: Response;
  readonly created?: CreatedBody;
  /** Error codes in addition to those of every route with a `projectPath`. */
  readonly errors?: readonly ErrorCode[];
  /** Receives checked fields. Keys missing from the reply's schema are removed. */
  readonly handle: (
    services: Services,
    input: z.output<Request>,
  ) => MaybePromise<BodyOf<Response> | Created<BodyOf<CreatedBody>>>;
}

type MaybePromise<T> = T | Promise<T>;

type BodyOf<Response extends z.ZodObject> = NoInfer<Answer<Response>>;

/** A route whose requests and responses are checked against their schemas. */
export function route<
  const Name extends RouteName,
  Request extends z.ZodObject,
  Response extends z.ZodObject,
  CreatedBody extends z.ZodObject = never,
  Services = Service,
>(
  name: Name,
  definition: RouteDefinition<Request, Response, CreatedBody, Services>,
): RouteOf<Name, z.input<Request>, z.output<Response> | z.output<CreatedBody>, Services> {
  const { request, response, created = response, errors = [] } = definition;
  const [method, path] = name.split(' ') as [RouteMethod, string];
  const servedBy = (services: Services): Route => ({
    ...definition,
    method,
    path,
    errors: 'projectPath' in request.shape ? [...STORE_ERRORS, ...errors] : errors,
    handle: async (fields) => {
      const result = await definition.handle(services, readFields(request, fields));
      const isCreated = result instanceof Created;
      return isCreated
        ? { status: 201, body: writeBody(created, result.body) }
        : { status: 200, body: writeBody(response, result) };
    },
  });
  const { repeats } = definition;
  return { method, path, ...(repeats !== undefined && { repeats }), servedBy };
}

/** The names of the fields in a path. */
export function pathFields(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/**
 * The error codes common to all routes with a `projectPath`. Reading may also need disk space, for a database that is
 * created or upgraded when opened, and for SQLite's log.
 */
const STORE_ERRORS = [
  'invalid_request',
  'path_not_allowed',
  'project_not_found',
  'schema_too_new',
  'store_unavailable',
  'storage_full',
  'overloaded',
] as const;
