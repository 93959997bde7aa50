import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { type ParsedUrlQuery, parse } from 'node:querystring';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { Route } from '../../../app/routes/route.js';
import { invalidRequest, KnowledgeError } from '../../../domain/errors.js';
import type { Logger } from '../../../ports/logger.js';
import type { DocumentedService } from '../openapi/document.js';
import { buildGuards } from './guards.js';
import { errorHandler } from './http-error.js';
import type { Monitor } from './monitor.js';
import { metricsPage, probeRoutes } from './probe-routes.js';
import {
  type Endpoint,
  type Page,
  registerEndpoints,
  registerPages,
  registerRoutes,
} from './register-routes.js';
import type { RequestLimit } from './request-limit.js';

export interface ApplicationOptions {
  /** The API of a variant; `/health`, `/ready`, `/metrics` and `/openapi.json` are added to it. */
  readonly routes: readonly Route[];
  /** Pages for people. */
  readonly webPages?: readonly Page[];
  /** Further protocols, such as MCP. */
  readonly endpoints?: readonly Endpoint[];
  readonly host: string;
  /** Further host names under which clients reach the service, such as that of a reverse proxy. */
  readonly allowedHosts?: readonly string[];
  /** If set, requests need it, except for `/health`, `/ready`, the files of the console and `.well-known` paths. */
  readonly token?: string;
  /** The name that `/ready` reports. */
  readonly variant: string;
  readonly logger: Logger;
  readonly monitor: Monitor;
}

interface Application {
  readonly app: Express;
  readonly handle: RequestListener;
}

/**
 * Creates the Express application: request log, guards, routes and one error handler. Every response is JSON, except
 * for pages and endpoints.
 */
export function createApplication(
  options: ApplicationOptions,
  requestLimit: RequestLimit,
): Application {
  const { routes, endpoints = [], variant, logger, monitor, token } = options;
  const probes = probeRoutes({ variant, requestLimit, monitor });
  const metrics = metricsPage(monitor);
  const access = token === undefined ? 'open' : 'token';
  const service = { routes: [...probes, ...routes], pages: [metrics], variant, access } as const;
  const pages = [metrics, documentPage(service), ...(options.webPages ?? [])];
  const app = express();
  const handleError = errorHandler(logger);
  app.disable('x-powered-by').disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', parseQuery);
  app.use(
    requestId,
    requestLog(logger, monitor),
    ...buildGuards(options, listOpenPaths(probes, pages)),
  );
  registerRoutes(app, probes);
  registerRoutes(app, routes, requestLimit);
  registerPages(app, pages);
  registerEndpoints(app, endpoints, requestLimit);
  app.use(unknownRoute);
  app.use(undecodablePath, handleError);
  const handle: RequestListener = (incoming, outgoing) => {
    const [request, response] = [incoming as Request, outgoing as Response];
    if (isBrokenUrl(request.url)) request.url = UNREADABLE_URL;
    // A target that is not a URL (`http://[x/`) skips all middleware, and Express would respond with HTML.
    app(request, response, () => handleError(BAD_TARGET, request, response, ignore));
  };
  return { app, handle };
}

/**
 * Returns the paths that need no token: the probes, which then return only their open keys, and the files of pages,
 * which contain no data.
 */
function listOpenPaths(probes: readonly Route[], pages: readonly Page[]): readonly string[] {
  const open = [
    ...probes.filter(({ openKeys }) => openKeys !== undefined),
    ...pages.filter(({ access }) => access === 'open'),
  ];
  return open.map(({ path }) => path);
}

/** The OpenAPI document. The first request loads the code that creates it. */
function documentPage(service: DocumentedService): Page {
  let text: Promise<string> | undefined;
  const make = async () => {
    const { createDocument } = await import('../openapi/document.js');
    return JSON.stringify(createDocument(service));
  };
  const read = () => {
    text ??= make();
    return text;
  };
  return { path: '/openapi.json', type: 'json', read };
}

/** Lets a client find its request in the log. */
const REQUEST_ID_HEADER = 'X-Request-Id';

/** Gives every request and its response an id: the client's, or a new one. */
const requestId: RequestHandler = (request, response, next) => {
  const [sent = '', ...others] = request.headersDistinct['x-request-id'] ?? [];
  const id = others.length === 0 && SANE_ID.test(sent) ? sent : randomUUID();
  response.locals['requestId'] = id;
  response.set(REQUEST_ID_HEADER, id);
  next();
};

/** Characters that are safe in a log and a header. */
const SANE_ID = /^[\w.:-]{1,128}$/;

/** Logs and counts the route, status and duration of each request, but no content, not even an unknown path. */
function requestLog(logger: Logger, monitor: Pick<Monitor, 'served'>): RequestHandler {
  return (request, response, next) => {
    const begin = performance.now();
    response.once('close', () => {
      const ms = performance.now() - begin;
      const served = {
        method: NAMED_METHODS.has(request.method) ? request.method : 'other',
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

/** Methods that are counted by name. Clients can send arbitrary others, and every counted name takes memory. */
const NAMED_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/**
 * Whether an absolute target is not a valid URL, for example because its port is not a number. Node would warn about
 * the way Express parses some of them.
 */
function isBrokenUrl(target: string): boolean {
  return target.includes('://') && !target.startsWith('/') && !URL.canParse(target);
}

const UNREADABLE_URL = 'http://[';

const unknownRoute: RequestHandler = () => {
  throw new KnowledgeError('not_found', 'This route does not exist; /docs lists all routes.');
};

/** Reports Express's URIError, raised if a field in a path is not percent-encoded UTF-8, as a client error. */
// biome-ignore lint/complexity/useMaxParams: Express's own signature
const undecodablePath: ErrorRequestHandler = (error, _request, _response, next) => {
  next(error instanceof URIError ? BAD_TARGET : error);
};

const BAD_TARGET = invalidRequest('The target of the request is not a valid URL.');

function ignore(): void {}

/**
 * Parses a query like Express's "simple" parser, which reads at most 1,000 parameters; a repeated one becomes a list.
 * Checks the percent-encoding first, because the parser would repair it, and a repaired path could be the path of
 * another project.
 * @throws KnowledgeError `invalid_request` for invalid percent-encoding
 */
function parseQuery(query: string | null): ParsedUrlQuery {
  try {
    decodeURIComponent(query ?? '');
  } catch {
    throw invalidRequest('The query string must be percent-encoded UTF-8.');
  }
  return parse(query ?? '');
}
