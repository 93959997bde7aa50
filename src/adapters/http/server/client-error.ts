import type { Duplex } from 'node:stream';
import type { OpenConnections } from './open-connections.js';
import { type Refusal, sendRawResponse } from './raw-response.js';

/**
 * Responds to bytes that Node could not parse as a request, or that did not arrive in time. Node's own
 * response has no body, with which the tests of unreadable requests would fail.
 */
export function respondToClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  connections: OpenConnections,
): void {
  const pending = connections.pendingOn(socket);
  // Every further byte on such a connection raises another error.
  if (socket.writableEnded) return;
  if (!socket.writable || pending.length > 1 || pending.some((response) => response.headersSent)) {
    socket.destroy();
    return;
  }
  sendRawResponse(socket, REFUSALS[error.code ?? ''] ?? UNREADABLE);
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
