import type { RequestHandler } from 'express';
import type { Logger } from '../../../ports/driven/logger.js';
import type { Monitor } from './monitor.js';
import { requestIdOf } from './request-id.js';

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
