import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

/** By which a client finds its request in the log. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

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
