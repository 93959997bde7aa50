import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { JsonBody } from '../routes/route.js';
import { DRAIN_MAX_BYTES } from './server-limits.js';

/** What goes back to a client. */
export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: JsonBody;
}

/** Sends an answer at once, and ends it when the whole request has been read. */
export function sendAnswer(response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const payload = Buffer.from(JSON.stringify(answer.body));
  response.writeHead(answer.status, { ...headersOf(payload), ...answer.headers });
  if (isWholeRequestRead(response.req)) {
    response.end(payload);
    return;
  }
  response.write(payload);
  drain(response);
}

/** The headers of every answer. */
export function headersOf(payload: Buffer): OutgoingHttpHeaders {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': payload.length,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
}

function isWholeRequestRead(request: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
  return request.complete || (encoding === undefined && Number(length) === 0);
}

/** A connection that is closed while the client still sends is reset, and the answer lost with it. */
function drain(response: ServerResponse): void {
  const { req: request } = response;
  let left = DRAIN_MAX_BYTES;
  request.on('data', (part: Buffer) => {
    left -= part.length;
    if (left < 0) request.destroy();
  });
  request.once('end', () => response.end());
  request.resume();
}
