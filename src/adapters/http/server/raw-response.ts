import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody, type HttpErrorCode } from './http-error.js';
import { SAFE_HEADERS } from './send-json.js';
import { LINGER_MS } from './server-limits.js';

/** An error response in parts. */
export interface Refusal {
  readonly status: number;
  readonly code: HttpErrorCode;
  readonly sentence: string;
}

/**
 * Writes an error response to a connection for which Node has made no response object, and closes it.
 * Keeps reading until the client has seen the response, at most {@link LINGER_MS}.
 */
export function sendRawResponse(socket: Duplex, { status, code, sentence }: Refusal): void {
  const payload = Buffer.from(JSON.stringify(errorBody(code, sentence)));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': payload.length,
    ...SAFE_HEADERS,
    Connection: 'close',
  };
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  // Node removes its own listener after a CONNECT; a client that resets must not end the process.
  socket.on('error', () => socket.destroy());
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), payload]));
  socket.once('end', () => socket.destroy());
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
