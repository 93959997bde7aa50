import type { Express, Request, RequestHandler } from 'express';
import { isRecord } from '../../../domain/records.js';
import { HttpError } from '../server/http-error.js';
import { jsonBody } from '../server/json-body.js';
import { sendJson, sendText } from '../server/send-json.js';
import type { StaticDocument } from '../server/static-document.js';
import type { TextRoute } from '../server/text-route.js';
import type { Route, RouteMethod, SetHeader } from './route.js';

/** Adds routes to an application. A GET route also serves HEAD; other methods of a path are refused with 405. */
export function registerRoutes(app: Express, routes: readonly Route[]): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const own = routes.filter((route) => route.path === path);
    const registered = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
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

/** Adds routes of plain text to an application. Like a GET route, each also serves HEAD, and refuses other methods. */
export function registerTexts(app: Express, texts: readonly TextRoute[]): void {
  for (const { path, read } of texts) {
    app
      .route(path)
      .get(async (_request, response) => {
        sendText(response, 200, { type: 'text', text: await read() });
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
    register: (registered, route) => registered.get(handlerOf(route, queryOf)),
  },
  POST: {
    allowed: 'POST',
    register: (registered, route) => registered.post(jsonBody, handlerOf(route, bodyOf)),
  },
  PUT: {
    allowed: 'PUT',
    register: (registered, route) => registered.put(jsonBody, handlerOf(route, bodyOf)),
  },
  DELETE: {
    allowed: 'DELETE',
    register: (registered, route) => registered.delete(handlerOf(route, queryOf)),
  },
};

type ReadFields = (request: Request) => unknown;

const queryOf: ReadFields = (request) => ({ ...request.query, ...request.params });

/** A body that is not an object is left for the schema to refuse. */
const bodyOf: ReadFields = ({ body, params }) => (isRecord(body) ? { ...body, ...params } : body);

function handlerOf(route: Route, fieldsOf: ReadFields): RequestHandler {
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
