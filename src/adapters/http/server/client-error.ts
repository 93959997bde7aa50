import type { Duplex } from 'node:stream';
import type { OpenConnections } from './open-connections.js';
import { type Refusal, sendRawAnswer } from './raw-answer.js';

/** Answers what Node could not read as a request, or did not get in time. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  connections: OpenConnections,
): void {
  const owed = connections.owedOn(socket);
  // Every further byte of such a connection is one more error.
  if (socket.writableEnded) return;
  if (!socket.writable || owed.length > 1 || owed.some((response) => response.headersSent)) {
    socket.destroy();
    return;
  }
  sendRawAnswer(socket, REFUSALS[error.code ?? ''] ?? UNREADABLE);
}

const UNREADABLE: Refusal = {
  status: 400,
  code: 'invalid_request',
  sentence: 'This is not a valid HTTP request.',
};

const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'too_large',
    sentence: 'The request line and the headers must not be larger than 16 KiB.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'too_large',
    sentence: 'The chunk extensions of the body are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'invalid_request',
    sentence: 'The request did not arrive in time.',
  },
};
