import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Request, type Response, Router } from 'express';
import { KnowledgeError, reasonOf } from '../../../domain/errors.js';
import type { Logger } from '../../../ports/driven/logger.js';
import type { Guard } from '../guards/guard.js';
import type { Route } from '../routes/route.js';
import { routeHandler } from '../routes/route-handler.js';
import { sendAnswer } from './answer.js';
import { codeOf, errorAnswer } from './error-answer.js';
import { requestTarget } from './request-target.js';

export interface RequestHandlerParts {
  readonly routes: readonly Route[];
  /** In the order in which they judge. */
  readonly guards: readonly Guard[];
  readonly logger: Logger;
}

/** Guards, then routes; every request gets an answer in JSON, whatever becomes of it. */
export function requestHandler({ routes, guards, logger }: RequestHandlerParts): RequestListener {
  const router = routerOf(routes);
  return (incoming, outgoing) => {
    logAnswer(outgoing, logger);
    const refuse = (error: unknown) => sendError(outgoing, error, logger);
    try {
      for (const guard of guards) guard(incoming);
    } catch (error) {
      refuse(error);
      return;
    }
    originForm(incoming);
    // Express adds what its types promise beyond Node's messages only where an application asks.
    router(incoming as Request, outgoing as Response, (error: unknown) =>
      refuse(error ?? unknownRoute()),
    );
  };
}

function routerOf(routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of new Set(routes.map((route) => route.path))) {
    const own = routes.filter((route) => route.path === path);
    router.all(path, routeHandler(own));
  }
  return router;
}

/** The router must see the path that the guards saw, so it is left nothing to interpret. */
function originForm(request: IncomingMessage): void {
  const { path, query } = requestTarget(request.url ?? '');
  request.url = query === '' ? path : `${path}?${query}`;
}

function unknownRoute(): KnowledgeError {
  return new KnowledgeError('not_found', 'There is no such route.');
}

function sendError(response: ServerResponse, error: unknown, logger: Logger): void {
  logCause(error, logger);
  sendAnswer(response, errorAnswer(error));
}

/** What a caller is not told: a bug is logged whole, anything else with what lies behind it. */
function logCause(error: unknown, logger: Logger): void {
  const code = codeOf(error);
  if (code === 'internal') logger.error('A request failed for a reason that is a bug.', { error });
  else if (error instanceof Error && error.cause !== undefined) {
    logger.warn('A request failed.', { code, reason: reasonOf(error.cause) });
  }
}

function logAnswer(response: ServerResponse, logger: Logger): void {
  const begin = performance.now();
  response.once('close', () => {
    const { method, route } = response.req as Request;
    logger.debug('A request was answered.', {
      method,
      route: route?.path ?? 'none',
      status: response.statusCode,
      ms: Math.round(performance.now() - begin),
    });
  });
}
