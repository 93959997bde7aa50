import { randomUUID } from 'node:crypto';
import {
  IncomingMessage,
  type RequestListener,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import { type ParsedUrlQuery, parse } from 'node:querystring';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { KnowledgeError } from '../../../domain/errors.js';
import type { Logger } from '../../../ports/logger.js';
import {
  type Endpoint,
  type Page,
  registerEndpoints,
  registerPages,
  registerRoutes,
} from '../routes/register-routes.js';
import type { Route } from '../routes/route.js';
import { errorHandler } from './http-error.js';
import type { Monitor } from './monitor.js';
import type { RequestLimit } from './request-limit.js';

interface ApplicationOptions {
  /** Served without a limit. */
  readonly probes: readonly Route[];
  readonly routes: readonly Route[];
  readonly pages: readonly Page[];
  readonly endpoints: readonly Endpoint[];
  /** In the order in which they check a request. */
  readonly guards: readonly RequestHandler[];
  readonly requestLimit: RequestLimit;
  readonly logger: Logger;
  readonly monitor: Monitor;
}

export interface Application {
  readonly handle: RequestListener;
  /** Options that the server of this application must have. */
  readonly serverOptions: ServerOptions;
}

/**
 * The Express application: request log, guards, routes and one error handler. Every response is JSON, except
 * pages and those of endpoints.
 */
export function createApplication(parts: ApplicationOptions): Application {
  const { requestLimit, logger, monitor } = parts;
  const app = express();
  const handleError = errorHandler(logger);
  app.disable('x-powered-by').disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', parseQuery);
  app.use(requestId, requestLog(logger, monitor), ...parts.guards);
  registerRoutes(app, parts.probes);
  registerRoutes(app, parts.routes, requestLimit);
  registerPages(app, parts.pages);
  registerEndpoints(app, parts.endpoints, requestLimit);
  app.use(unknownRoute);
  app.use(undecodablePath, handleError);
  const handle: RequestListener = (incoming, outgoing) => {
    const [request, response] = [incoming as Request, outgoing as Response];
    if (isBrokenUrl(request.url)) request.url = UNREADABLE_URL;
    // A target that is not a URL (`http://[x/`) skips all middleware; Express would send HTML.
    app(request, response, () => handleError(BAD_TARGET, request, response, ignore));
  };
  return { handle, serverOptions: expressClasses(app) };
}

/** By which a client finds its request in the log. */
const REQUEST_ID_HEADER = 'X-Request-Id';

/** Gives every request an id, which its response has too: that of the client, or a new one. */
const requestId: RequestHandler = (request, response, next) => {
  const [sent = '', ...others] = request.headersDistinct['x-request-id'] ?? [];
  const id = others.length === 0 && SANE_ID.test(sent) ? sent : randomUUID();
  response.locals['requestId'] = id;
  response.set(REQUEST_ID_HEADER, id);
  next();
};

/** What can be written into a log and a header as it is. */
const SANE_ID = /^[\w.:-]{1,128}$/;

/** Logs and counts route, status and duration of each request, but none of its content, not even an unknown path. */
function requestLog(logger: Logger, monitor: Pick<Monitor, 'served'>): RequestHandler {
  return (request, response, next) => {
    const begin = performance.now();
    response.once('close', () => {
      const ms = performance.now() - begin;
      const served = {
        method: METHODS.has(request.method) ? request.method : 'other',
        route: String(request.route?.path ?? 'none'),
        status: response.statusCode,
      };
      monitor.served({ ...served, seconds: ms / 1000 });
      const { requestId } = response.locals;
      logger.debug('Request served.', { requestId, ...served, ms: Math.round(ms) });
    });
    next();
  };
}

/** Anybody can send any method; each that is counted by its name takes memory. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

/** Express would read some of these URLs in a way that Node warns about, such as a port that is no number. */
function isBrokenUrl(target: string): boolean {
  return target.includes('://') && !target.startsWith('/') && !URL.canParse(target);
}

const UNREADABLE_URL = 'http://[';

const unknownRoute: RequestHandler = () => {
  throw new KnowledgeError('not_found', 'This route does not exist; /docs lists those that do.');
};

/** Express fails with a URIError where a field in a path is not percent-encoded UTF-8. */
// biome-ignore lint/complexity/useMaxParams: Express's own signature
const undecodablePath: ErrorRequestHandler = (error, _request, _response, next) => {
  next(error instanceof URIError ? BAD_TARGET : error);
};

const BAD_TARGET = new KnowledgeError(
  'invalid_request',
  'The target of the request is not a valid URL.',
);

function ignore(): void {}

/**
 * Express's "simple" query parser, which reads at most 1,000 parameters; a repeated one becomes a list.
 * Checks the percent-encoding first: the parser would repair it, and the repaired path could be that of
 * another project.
 * @throws KnowledgeError `invalid_request` for invalid percent-encoding
 */
function parseQuery(query: string | null): ParsedUrlQuery {
  try {
    decodeURIComponent(query ?? '');
  } catch (cause) {
    throw new KnowledgeError(
      'invalid_request',
      'The query of the URL must be percent-encoded UTF-8.',
      { cause },
    );
  }
  return parse(query ?? '');
}

/**
 * The classes of which a server has to make requests and responses for an Express application. Express
 * changes the prototype of every request and response that it handles, after which Node itself is slower
 * with them: 0.2 ms of processor time per request. Objects of these classes have the prototype already.
 */
function expressClasses(
  app: Express,
): Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>> {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  app.request = extended(ExpressRequest.prototype, express.request, app);
  app.response = extended(ExpressResponse.prototype, express.response, app);
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** As Express itself prepares its prototypes, in `express()`. */
function extended<T extends object>(prototype: object, parent: T, app: Express): T {
  Object.setPrototypeOf(prototype, parent);
  return Object.assign(prototype, { app }) as T;
}
