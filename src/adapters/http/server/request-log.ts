import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Logger } from '../../../ports/logger.js';
import type { Monitor } from './monitor.js';

/** By which a client finds its request in the log. */
const REQUEST_ID_HEADER = 'X-Request-Id';

/** Gives every request an id, which its response has too: that of the client, or a new one. */
export const requestId: RequestHandler = (request, response, next) => {
  const [sent = '', ...others] = request.headersDistinct['x-request-id'] ?? [];
  const id = others.length === 0 && SANE_ID.test(sent) ? sent : randomUUID();
  response.locals['requestId'] = id;
  response.set(REQUEST_ID_HEADER, id);
  next();
};

/** The id of the request that a response is for. */
export function requestIdOf(response: Response): string | undefined {
  const id: unknown = response.locals['requestId'];
  return typeof id === 'string' ? id : undefined;
}

/** What can be written into a log and a header as it is. */
const SANE_ID = /^[\w.:-]{1,128}$/;

/** Logs and counts route, status and duration of each request, but none of its content, not even an unknown path. */
export function requestLog(logger: Logger, monitor: Pick<Monitor, 'served'>): RequestHandler {
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
      const requestId = requestIdOf(response);
      logger.debug('Request served.', { requestId, ...served, ms: Math.round(ms) });
    });
    next();
  };
}

/** Anybody can send any method; each that is counted by its name takes memory. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);
