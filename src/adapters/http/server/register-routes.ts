import { realpathSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type {
  Express,
  Request as ExpressRequest,
  Response as ExpressResponse,
  RequestHandler,
} from 'express';
import { hasBody, type Route, type RouteMethod } from '../../../app/routes/route.js';
import { isRecord } from '../../../domain/records.js';
import { HttpError } from './http-error.js';
import { jsonBody } from './json-body.js';
import type { RequestLimit } from './request-limit.js';
import { SAFE_HEADERS, sendText, type TypedText } from './send-text.js';

/** A GET path that takes no fields. */
export interface Page {
  readonly path: string;
  readonly type: TypedText['type'];
  readonly headers?: Readonly<Record<string, string>>;
  /** `open`: the page holds no data and needs no token. */
  readonly access?: 'open';
  /** Its entry in the OpenAPI document; absent if it has none. */
  readonly documentation?: { readonly summary: string; readonly description: string };
  readonly read: () => string | Promise<string>;
}

/** A path that serves another protocol than REST, behind the same guards. */
export interface Endpoint {
  readonly path: string;
  /** The project directory that a request names, if any. */
  readonly projectOf?: (body: unknown) => string | undefined;
  /**
   * @param request without its body
   * @param body parsed, if the request is a POST: at most 1 MiB of JSON
   */
  readonly serve: (request: Request, body: unknown) => Promise<Response>;
  /** Ends responses that are still being sent. Idempotent. */
  readonly close: () => Promise<void>;
}

/**
 * Adds routes to an application. A GET route also serves HEAD; other methods of its path are refused with 405. Without
 * `limit`, any number of requests is served concurrently.
 */
export function registerRoutes(app: Express, routes: readonly Route[], limit?: RequestLimit): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const own = routes.filter((route) => route.path === path);
    const registered = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const route of own) {
      const before = hasBody(route.method) ? [jsonBody] : [];
      registered[METHODS[route.method].verb](...before, handlerFor(route, limit));
    }
    registered.all(otherMethod(own.map(({ method }) => method)));
  }
}

/**
 * Adds pages to an application. Like a GET route, each also serves HEAD, and refuses other methods. The path of an HTML
 * page with a trailing slash is redirected, because its relative links would break.
 */
export function registerPages(app: Express, pages: readonly Page[]): void {
  for (const page of pages) {
    app
      .route(page.path)
      .get(async (request, response) => {
        if (page.type === 'html' && request.path !== page.path) {
          return response.set(SAFE_HEADERS).redirect(308, `..${page.path}`);
        }
        response.set(page.headers ?? {});
        return sendText(response, 200, { type: page.type, text: await page.read() });
      })
      .all(otherMethod(['GET']));
  }
}

/**
 * Adds endpoints to an application; each serves every method of its path. A request counts towards the limit until its
 * response has ended.
 */
export function registerEndpoints(
  app: Express,
  endpoints: readonly Endpoint[],
  limit: RequestLimit,
): void {
  for (const { path, serve, projectOf } of endpoints) {
    const handle = (request: ExpressRequest, response: ExpressResponse) => {
      const signal = abortOnLeave(response);
      return limit.run(
        async () => send(response, await serve(webRequest(request, signal), request.body)),
        { project: projectKey(projectOf?.(request.body)), signal },
      );
    };
    app.route(path).post(jsonBody, handle).all(handle);
  }
}

const METHODS = {
  GET: { verb: 'get', allowed: 'GET, HEAD' },
  POST: { verb: 'post', allowed: 'POST' },
  PUT: { verb: 'put', allowed: 'PUT' },
  PATCH: { verb: 'patch', allowed: 'PATCH' },
  DELETE: { verb: 'delete', allowed: 'DELETE' },
} as const;

/** The fields of a request. A body that is not an object is returned as it is, for the schema to refuse. */
function readFields(method: RouteMethod, { body, query, params }: ExpressRequest): unknown {
  if (!hasBody(method)) return { ...query, ...params };
  return isRecord(body) ? { ...body, ...params } : body;
}

function handlerFor(route: Route, limit: RequestLimit | undefined): RequestHandler {
  return async (request, response) => {
    const fields = readFields(route.method, request);
    const handle = () => route.handle(fields);
    const named = isRecord(fields) ? fields['projectPath'] : undefined;
    const caller = { project: projectKey(named), signal: abortOnLeave(response) };
    const reply = await (limit === undefined ? handle() : limit.run(handle, caller));
    const body = response.locals['lacksToken'] ? openPart(reply.body, route) : reply.body;
    sendText(response, reply.status, { type: 'json', text: JSON.stringify(body) });
  };
}

function openPart(body: unknown, { openKeys = [] }: Route): unknown {
  const entries = isRecord(body) ? Object.entries(body) : [];
  return Object.fromEntries(entries.filter(([key]) => openKeys.includes(key)));
}

/**
 * The real path of a project, so that it has one limit no matter how requests name it. A path that does not exist stays
 * as it is.
 */
function projectKey(named: unknown): string | undefined {
  if (typeof named !== 'string') return undefined;
  try {
    return realpathSync.native(named);
  } catch {
    return named;
  }
}

/**
 * Returns a signal that is aborted when the client disconnects, or when its response has been sent. It has an explicit
 * reason because creating the default error is slow.
 */
function abortOnLeave(response: ExpressResponse): AbortSignal {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort('The client has left.'));
  return leaving.signal;
}

/** Refuses other methods with 405. Express itself would respond to OPTIONS, and refuse the rest with 404. */
function otherMethod(methods: readonly RouteMethod[]): RequestHandler {
  const allowed = methods.map((method) => METHODS[method].allowed).join(', ');
  return (_request, response) => {
    response.set('Allow', allowed);
    throw new HttpError('method_not_allowed', `This route accepts only ${allowed}.`);
  };
}

function webRequest(request: ExpressRequest, signal: AbortSignal): Request {
  const { method, headersDistinct } = request;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Request(new URL(request.originalUrl, 'http://localhost'), { method, headers, signal });
}

async function send(response: ExpressResponse, answer: Response): Promise<void> {
  response.status(answer.status).set(SAFE_HEADERS).set(Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  const body = Readable.fromWeb(answer.body as ReadableStream);
  // A client that disconnects before the end of its response is not an error.
  await pipeline(body, response).catch(() => response.destroy());
}
