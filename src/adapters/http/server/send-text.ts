import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { DRAIN_MAX_BYTES } from './server-limits.js';

/** Headers of every response, which a page may override. */
export const SAFE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
} as const;

/** Text and its content type. */
export interface TypedText {
  readonly type: keyof typeof CONTENT_TYPES;
  readonly text: string;
}

/**
 * Sends a response immediately, even while the client is still sending its request, but ends it only after the request.
 * `res.send` would end it at once, and Node would reset a connection that is to be closed before the client could read
 * the response ("lets a client read its … after a body of 5 MB" fails). It would also send 304 for `If-None-Match: *`
 * ("sends the whole body …" fails). finalhandler and body-parser would read the whole request first.
 */
export function sendText(response: Response, status: number, { type, text }: TypedText): void {
  if (response.headersSent || response.destroyed) return;
  response.statusCode = status;
  response.setHeader('Content-Type', CONTENT_TYPES[type]);
  const body = Buffer.from(text);
  response.setHeader('Content-Length', body.length);
  for (const [name, value] of Object.entries(SAFE_HEADERS)) {
    if (!response.hasHeader(name)) response.setHeader(name, value);
  }
  if (isFullyRead(response.req)) {
    response.end(body);
    return;
  }
  response.write(body);
  endAfterRequest(response);
}

const CONTENT_TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  text: 'text/plain; version=0.0.4; charset=utf-8',
  html: 'text/html; charset=utf-8',
} as const;

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
