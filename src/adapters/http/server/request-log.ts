import type { RequestHandler } from 'express';
import type { Logger } from '../../../ports/driven/logger.js';

/** Logs route, status and duration of each request, but none of its content, not even an unknown path. */
export function requestLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const begin = performance.now();
    response.once('close', () => {
      logger.debug('Request served.', {
        method: request.method,
        route: request.route?.path ?? 'none',
        status: response.statusCode,
        ms: Math.round(performance.now() - begin),
      });
    });
    next();
  };
}
