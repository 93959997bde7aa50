import type { RequestListener } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { KnowledgeError } from '../../../domain/errors.js';
import type { Logger } from '../../../ports/driven/logger.js';
import { registerDocuments, registerRoutes } from '../routes/register-routes.js';
import type { Route } from '../routes/route.js';
import { errorHandler } from './error-handler.js';
import { parseQuery } from './query-parser.js';
import { requestLog } from './request-log.js';
import type { StaticDocument } from './static-document.js';

export interface ApplicationParts {
  readonly routes: readonly Route[];
  readonly documents: readonly StaticDocument[];
  /** In the order in which they check a request. */
  readonly guards: readonly RequestHandler[];
  readonly logger: Logger;
}

/** The Express application: log, guards, routes, and one error handler. Every response is JSON, except `/docs`. */
export function createApplication(parts: ApplicationParts): RequestListener {
  const { routes, documents, guards, logger } = parts;
  const app = express();
  const handleError = errorHandler(logger);
  app.disable('x-powered-by').disable('etag');
  app.enable('case sensitive routing').enable('strict routing');
  app.set('query parser', parseQuery);
  app.use(requestLog(logger), ...guards);
  registerRoutes(app, routes);
  registerDocuments(app, documents);
  app.use(unknownRoute);
  app.use(handleError);
  return (incoming, outgoing) => {
    const [request, response] = [incoming as Request, outgoing as Response];
    // A target that is no URL (`http://[x/`) passes by all middleware; Express would send HTML.
    app(request, response, () => handleError(BAD_TARGET, request, response, ignore));
  };
}

const unknownRoute: RequestHandler = () => {
  throw new KnowledgeError('not_found', 'There is no such route.');
};

const BAD_TARGET = new KnowledgeError('invalid_request', 'The target of the request is no URL.');

function ignore(): void {}
