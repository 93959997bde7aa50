import type { RequestListener, ServerOptions } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { KnowledgeError } from '../../../domain/errors.js';
import type { Logger } from '../../../ports/driven/logger.js';
import { type EndpointParts, registerEndpoints } from '../routes/register-endpoints.js';
import { registerDocuments, registerRoutes, registerTexts } from '../routes/register-routes.js';
import type { Route } from '../routes/route.js';
import { errorHandler } from './error-handler.js';
import { expressClasses } from './express-classes.js';
import type { Monitor } from './monitor.js';
import { parseQuery } from './query-parser.js';
import { requestId } from './request-id.js';
import { requestLog } from './request-log.js';
import type { StaticDocument } from './static-document.js';
import type { TextRoute } from './text-route.js';

export interface ApplicationParts extends EndpointParts {
  readonly routes: readonly Route[];
  readonly texts: readonly TextRoute[];
  readonly documents: readonly StaticDocument[];
  /** In the order in which they check a request. */
  readonly guards: readonly RequestHandler[];
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
 * `/docs`, `/metrics` and those of endpoints.
 */
export function createApplication(parts: ApplicationParts): Application {
  const { routes, texts, documents, guards, logger, monitor } = parts;
  const app = express();
  const handleError = errorHandler(logger);
  app.disable('x-powered-by').disable('etag');
  app.enable('case sensitive routing').enable('strict routing');
  app.set('query parser', parseQuery);
  app.use(requestId, requestLog(logger, monitor), ...guards);
  registerRoutes(app, routes);
  registerTexts(app, texts);
  registerDocuments(app, documents);
  registerEndpoints(app, parts);
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

/** Express would read some of these URLs in a way that Node warns about, such as a port that is no number. */
function isBrokenUrl(target: string): boolean {
  return target.includes('://') && !target.startsWith('/') && !URL.canParse(target);
}

const UNREADABLE_URL = 'http://[';

const unknownRoute: RequestHandler = () => {
  throw new KnowledgeError('not_found', 'This route does not exist; see docs/api.md.');
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
