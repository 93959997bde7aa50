import { once } from 'node:events';
import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorBody, type HttpErrorCode } from './http-error.js';
import { SAFE_HEADERS } from './send-text.js';
import { LINGER_MS } from './server-limits.js';

/**
 * Tracks the connections of a server, so that it can stop without cutting off responses that were passed to Node but
 * not yet sent. Node's own `close`, http-terminator, http-graceful-shutdown and stoppable cannot do that
 * (`docs/decisions/0016-http-by-express.md`).
 */
export class Connections {
  readonly #pending = new Map<Duplex, Set<ServerResponse>>();
  #isClosing = false;

  get count(): number {
    return this.#pending.size;
  }

  /** Resolves when no connection is open. */
  async allClosed(): Promise<void> {
    const open = [...this.#pending.keys()].filter((socket) => !socket.closed);
    await Promise.all(open.map((socket) => once(socket, 'close').catch(() => undefined)));
  }

  add(socket: Socket): void {
    this.#pending.set(socket, new Set());
    socket.once('close', () => this.#pending.delete(socket));
  }

  /** Stops tracking a connection that another protocol takes over. */
  leave(socket: Duplex): void {
    this.#pending.delete(socket);
  }

  /** Wraps the listener for requests to track their responses. Every request must pass through it. */
  taking(handle: RequestListener): RequestListener {
    return (request, response) => {
      this.#take(request, response);
      handle(request, response);
    };
  }

  #take({ socket }: IncomingMessage, response: ServerResponse): void {
    const pending = this.#pending.get(socket);
    pending?.add(response);
    if (this.#isClosing) announceEnd(response);
    response.once('close', () => {
      pending?.delete(response);
      if (this.#isClosing && pending?.size === 0) socket.destroySoon();
    });
  }

  /** The responses that have not been sent yet, in the order of their requests. */
  pendingOn(socket: Duplex): readonly ServerResponse[] {
    return [...(this.#pending.get(socket) ?? [])];
  }

  /** Closes idle connections at once, and the others as soon as they have no pending response. */
  closeWhenIdle(): void {
    this.#isClosing = true;
    for (const [socket, pending] of this.#pending) {
      if (pending.size === 0) socket.destroy();
      else for (const response of pending) announceEnd(response);
    }
  }

  destroyAll(): void {
    for (const socket of this.#pending.keys()) socket.destroy();
  }
}

/** Makes Node close the connection after this response, if its headers have not been sent. */
function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/**
 * Responds to a request that Node could not parse, or that did not arrive in time. Node's own response has no body, but
 * clients expect JSON.
 */
export function respondToClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  connections: Connections,
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

const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

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
  [TIMEOUT]: {
    status: 408,
    code: 'invalid_request',
    sentence: 'The request did not arrive in time.',
  },
};

/** The parts of an error response. */
interface Refusal {
  readonly status: number;
  readonly code: HttpErrorCode;
  readonly sentence: string;
}

/**
 * Writes an error response directly to a connection, without a response object of Node, and closes it. Keeps reading
 * until the client has received the response, for at most {@link LINGER_MS}.
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
