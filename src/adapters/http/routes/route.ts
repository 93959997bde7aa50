import type { z } from 'zod';
import type { ErrorCode } from '../../../domain/errors.js';
import { readFields } from '../../../schemas/read-fields.js';
import { writeBody } from '../../../schemas/write-body.js';

export type RouteMethod = 'GET' | 'POST';

/** One route of an API, as data: everything that is needed to serve it and to document it. */
export interface Route {
  readonly method: RouteMethod;
  /** A literal path, without parameters or patterns. */
  readonly path: string;
  /** One sentence for the documentation. */
  readonly summary: string;
  /** The fields of the JSON body, or of the URL query for a GET. */
  readonly request: z.ZodObject;
  /** The body of a success. */
  readonly response: z.ZodObject;
  /** The statuses of a success; default 200 alone. */
  readonly statuses?: readonly SuccessStatus[];
  /** The codes that the service may fail with, besides `internal` and `overloaded`. */
  readonly errors: readonly ErrorCode[];
  /**
   * Checks the fields, does the work and returns the answer, whose body holds only what `response` lists.
   * @throws KnowledgeError `invalid_request` for a wrong field, and those in `errors`
   * @throws Error if the service returned something that `response` does not allow
   */
  readonly handle: (fields: unknown, setHeader?: SetHeader) => Promise<RouteAnswer>;
}

export type SuccessStatus = 200 | 201;

/** A success. */
export interface RouteAnswer {
  readonly status: SuccessStatus;
  readonly body: object;
}

/** A result that is sent with 201, because something was created. */
export class Created<Body> {
  readonly body: Body;

  constructor(body: Body) {
    this.body = body;
  }
}

/** Adds a header to the response. */
export type SetHeader = (name: string, value: string) => void;

interface RouteDefinition<Request extends z.ZodObject, Response extends z.ZodObject>
  extends Pick<Route, 'method' | 'path' | 'summary' | 'statuses' | 'errors'> {
  readonly request: Request;
  readonly response: Response;
  /** Receives checked fields. Keys that `response` does not list are removed from the result. */
  readonly handle: (
    input: z.output<Request>,
    setHeader: SetHeader,
  ) => Promise<ResultOf<Response>> | ResultOf<Response>;
}

/** A route whose requests and responses are checked against their schemas. */
export function route<Request extends z.ZodObject, Response extends z.ZodObject>(
  definition: RouteDefinition<Request, Response>,
): Route {
  const { request, response, handle } = definition;
  return {
    ...definition,
    handle: async (fields, setHeader = () => {}) => {
      const result = await handle(readFields(request, fields), setHeader);
      return result instanceof Created
        ? { status: 201, body: writeBody(response, result.body) }
        : { status: 200, body: writeBody(response, result) };
    },
  };
}

/** The codes with which every route that takes a `projectPath` may fail. */
export const READ_ERRORS = [
  'invalid_request',
  'path_not_allowed',
  'project_not_found',
  'schema_too_new',
  'store_unavailable',
] as const;

/** The codes with which every route that writes to a store may fail. */
export const WRITE_ERRORS = [...READ_ERRORS, 'storage_full'] as const;

type ResultOf<Response extends z.ZodObject> = BodyOf<Response> | Created<BodyOf<Response>>;

type BodyOf<Response extends z.ZodObject> = NoInfer<DeepReadonly<z.input<Response>>>;

type DeepReadonly<T> = { readonly [Key in keyof T]: DeepReadonly<T[Key]> };
