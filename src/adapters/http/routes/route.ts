import type { z } from 'zod';
import { type RawFields, readFields } from '../schemas/read-fields.js';

/** Anything that JSON can say; members that are `undefined` are left out. */
export type JsonBody = object;

export type RouteMethod = 'GET' | 'POST';

/** One route of an API, as data: served by `HttpServer`, and described by whoever documents the API. */
export interface Route {
  readonly method: RouteMethod;
  /** Literal: no parameters, no patterns. */
  readonly path: string;
  /** One sentence for the documentation. */
  readonly summary: string;
  readonly request: z.ZodObject;
  /**
   * Checks the fields, does the work and answers the body of a 200.
   * @throws KnowledgeError `invalid_request` for a wrong field, and what the services throw
   */
  readonly handle: (fields: RawFields) => Promise<JsonBody>;
}

interface RouteDefinition<Schema extends z.ZodObject> {
  readonly method: RouteMethod;
  readonly path: string;
  readonly summary: string;
  readonly request: Schema;
  readonly answer: (input: z.output<Schema>) => Promise<JsonBody> | JsonBody;
}

/** A route whose `answer` is given checked fields only. */
export function route<Schema extends z.ZodObject>(definition: RouteDefinition<Schema>): Route {
  const { method, path, summary, request, answer } = definition;
  return {
    method,
    path,
    summary,
    request,
    handle: async (fields) => answer(readFields(request, fields)),
  };
}
