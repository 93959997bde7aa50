import type { Express, Request, RequestHandler } from 'express';
import { HttpError } from '../server/http-error.js';
import { jsonBody } from '../server/json-body.js';
import { sendJson, sendText } from '../server/send-json.js';
import type { StaticDocument } from '../server/static-document.js';
import type { Route, RouteMethod, SetHeader } from './route.js';

/** Adds routes to an application. A GET route also serves HEAD; other methods of a path are refused with 405. */
export function registerRoutes(app: Express, routes: readonly Route[]): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const own = routes.filter((route) => route.path === path);
    const registered = app.route(path);
    for (const route of own) METHODS[route.method].register(registered, route);
    registered.all(otherMethod(own.map(({ method }) => method)));
  }
}

/** Adds documents to an application. Like a GET route, each also serves HEAD, and refuses other methods. */
export function registerDocuments(app: Express, documents: readonly StaticDocument[]): void {
  for (const { path, type, headers, write } of documents) {
    let text: string | undefined;
    app
      .route(path)
      .get((_request, response) => {
        text ??= write();
        sendText(response.set(headers), 200, { type, text });
      })
      .all(otherMethod(['GET']));
  }
}

interface Method {
  /** The value of `Allow`. */
  readonly allowed: string;
  readonly register: (registered: ReturnType<Express['route']>, route: Route) => void;
}

const METHODS: Readonly<Record<RouteMethod, Method>> = {
  GET: {
    allowed: 'GET, HEAD',
    register: (registered, route) => registered.get(handlerOf(route, (request) => request.query)),
  },
  POST: {
    allowed: 'POST',
    register: (registered, route) =>
      registered.post(
        jsonBody,
        handlerOf(route, (request) => request.body),
      ),
  },
};

function handlerOf(route: Route, fieldsOf: (request: Request) => unknown): RequestHandler {
  return async (request, response) => {
    const setHeader: SetHeader = (name, value) => void response.set(name, value);
    const { status, body } = await route.handle(fieldsOf(request), setHeader);
    sendJson(response, status, body);
  };
}

/** Express would answer OPTIONS by itself, and other methods with 404. */
function otherMethod(methods: readonly RouteMethod[]): RequestHandler {
  const allowed = methods.map((method) => METHODS[method].allowed).join(', ');
  return (_request, response) => {
    response.set('Allow', allowed);
    throw new HttpError('method_not_allowed', `This route serves ${allowed} only.`);
  };
}
