import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { DRAIN_MAX_BYTES } from './server-limits.js';

/** The headers of every response. */
export const SAFE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
} as const;

/**
 * Sends a response at once, even if the client is still sending its request. `res.json` alone ends the
 * response too, and Node then resets a connection that is to be closed, before the client could read
 * anything: the tests "lets a client read its … after a body of 5 MB" fail. finalhandler and
 * body-parser read the whole request first, and fail "answers … before the body has been sent".
 * `res.json` also answers 304 to `If-None-Match: *`: "sends the whole body …" fails.
 */
export function sendJson(response: Response, status: number, body: object): void {
  if (response.headersSent || response.destroyed) return;
  const payload = Buffer.from(JSON.stringify(body));
  response.status(status).set(SAFE_HEADERS).type('json');
  response.set('Content-Length', String(payload.length));
  if (isFullyRead(response.req)) {
    response.end(payload);
    return;
  }
  response.write(payload);
  endAfterRequest(response);
}

function isFullyRead(request: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  return request.complete || (encoding === undefined && Number(length) === 0);
}

function endAfterRequest(response: Response): void {
  const { req: request } = response;
  let left = DRAIN_MAX_BYTES;
  request.on('data', (part: Buffer) => {
    left -= part.length;
    if (left < 0) request.destroy();
  });
  request.once('end', () => response.end());
  request.resume();
}
