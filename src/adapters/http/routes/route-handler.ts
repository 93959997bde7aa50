import type { IncomingMessage, ServerResponse } from 'node:http';
import { KnowledgeError } from '../../../domain/errors.js';
import type { RawFields } from '../schemas/read-fields.js';
import { sendAnswer } from '../server/answer.js';
import { jsonBody } from '../server/json-body.js';
import { queryFields } from '../server/query-fields.js';
import { requestTarget } from '../server/request-target.js';
import type { Route, RouteMethod } from './route.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Serves the routes of one path, a method each; a GET also answers HEAD.
 * @throws KnowledgeError `method_not_allowed` for other methods, and what reading and the route throw
 */
export function routeHandler(routes: readonly Route[]): Handler {
  const allowed = routes.flatMap((route) => ALLOWED[route.method]).join(', ');
  return async (request, response) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = routes.find((candidate) => candidate.method === method);
    if (route === undefined) {
      response.setHeader('Allow', allowed);
      throw new KnowledgeError('method_not_allowed', `This route answers ${allowed} only.`);
    }
    const body = await route.handle(await READERS[route.method](request));
    sendAnswer(response, { status: 200, headers: {}, body });
  };
}

const ALLOWED: Readonly<Record<RouteMethod, readonly string[]>> = {
  GET: ['GET', 'HEAD'],
  POST: ['POST'],
};

const READERS: Readonly<Record<RouteMethod, (request: IncomingMessage) => Promise<RawFields>>> = {
  GET: async (request) => queryFields(requestTarget(request.url ?? '').query),
  POST: jsonBody,
};
