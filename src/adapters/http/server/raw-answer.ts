import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../../domain/errors.js';
import { headersOf } from './answer.js';
import { errorBody } from './error-answer.js';
import { LINGER_MS } from './server-limits.js';

export interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly sentence: string;
}

/** Answers on a connection that has no response of Node's, ends it, and reads on until the client has seen it. */
export function sendRawAnswer(socket: Duplex, { status, code, sentence }: Refusal): void {
  const payload = Buffer.from(JSON.stringify(errorBody(code, sentence)));
  const headers = Object.entries({ ...headersOf(payload), Connection: 'close' });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  // Node takes its own listener away with a CONNECT; a client that resets must not end the process.
  socket.on('error', () => socket.destroy());
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), payload]));
  socket.once('end', () => socket.destroy());
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
