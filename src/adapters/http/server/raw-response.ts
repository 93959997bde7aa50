import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody, type HttpErrorCode } from './http-error.js';
import { SAFE_HEADERS } from './send-json.js';
import { LINGER_MS } from './server-limits.js';

/** The parts of an error response. */
export interface Refusal {
  readonly status: number;
  readonly code: HttpErrorCode;
  readonly sentence: string;
}

/**
 * Writes an error response to a connection without a response object of Node, and closes it. Keeps
 * reading until the client has received the response, at most {@link LINGER_MS}.
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
  // Node removes its own error listener after a CONNECT; without one, a connection reset would end the process.
  socket.on('error', () => socket.destroy());
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), payload]));
  socket.once('end', () => socket.destroy());
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
