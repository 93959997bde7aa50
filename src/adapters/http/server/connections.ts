import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A request that Node has parsed, and the response that is due to it. */
interface Exchange {
  readonly response: ServerResponse;
  readonly begin: () => void;
}

interface Connection {
  /** In the order of the requests; only the first is being worked on. */
  readonly exchanges: Exchange[];
  /** Ends a connection whose next request does not arrive. */
  deadline?: NodeJS.Timeout;
}

/**
 * The connections of a server. On each, requests are begun one after the other: pipelined requests wait until
 * the response to the one before them has been sent, and are dropped when the client leaves. So a client holds
 * at most one response that it does not read, and cannot take the places of others.
 *
 * Lets a server stop without cutting off responses that were passed to Node but not yet sent, which Node's own
 * `close`, http-terminator, http-graceful-shutdown and stoppable cannot do
 * (`docs/decisions/0016-http-by-express.md`).
 */
export class Connections {
  readonly #connections = new Map<Duplex, Connection>();
  readonly #requestTimeoutMs: number;
  #closing = false;

  /** @param requestTimeoutMs how long the next request may take to arrive on a connection that was not read meanwhile */
  constructor(requestTimeoutMs: number) {
    this.#requestTimeoutMs = requestTimeoutMs;
  }

  add(socket: Socket): void {
    const connection: Connection = { exchanges: [] };
    this.#connections.set(socket, connection);
    // Node resumes a socket whenever the body of a request is read.
    socket.on('resume', () => this.isPaused(socket) && socket.pause());
    socket.once('close', () => {
      clearTimeout(connection.deadline);
      connection.exchanges.length = 0;
      this.#connections.delete(socket);
    });
  }

  /**
   * Must be called with every request before its response is sent. Calls `begin` as soon as all earlier requests
   * of the connection have their responses; never, if the client leaves before.
   */
  take({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    const { exchanges } = connection;
    clearTimeout(connection.deadline);
    exchanges.push({ response, begin });
    if (this.#closing) announceEnd(exchanges);
    response.once('close', () => this.#sent(socket, connection));
    if (exchanges.length === 1) begin();
    else if (this.isPaused(socket)) socket.pause();
  }

  /** Whether so many requests wait that nothing more is read. */
  isPaused(socket: Duplex): boolean {
    return this.pendingOn(socket).length > MAX_WAITING;
  }

  /** The responses that were not sent yet, in the order of their requests. */
  pendingOn(socket: Duplex): readonly ServerResponse[] {
    const { exchanges = [] } = this.#connections.get(socket) ?? {};
    return exchanges.map(({ response }) => response);
  }

  /** Closes idle connections at once, and the others as soon as they have no pending response. */
  closeWhenIdle(): void {
    this.#closing = true;
    for (const [socket, { exchanges }] of this.#connections) {
      if (exchanges.length === 0) socket.destroy();
      else announceEnd(exchanges);
    }
  }

  destroyAll(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  #sent(socket: Socket, connection: Connection): void {
    const wasPaused = this.isPaused(socket);
    const { exchanges } = connection;
    exchanges.shift();
    if (wasPaused && !this.isPaused(socket)) this.#readOn(socket, connection);
    const [next] = exchanges;
    if (next !== undefined && socket.writable) next.begin();
    else if (this.#closing) socket.destroySoon();
  }

  /** Node has stopped to watch the time of a request that had begun to arrive before the pause. */
  #readOn(socket: Socket, connection: Connection): void {
    connection.deadline = setTimeout(() => socket.destroy(), this.#requestTimeoutMs).unref();
    socket.resume();
  }
}

/** Requests of a connection that may wait before nothing more is read; those that were read already may exceed it. */
const MAX_WAITING = 16;

/** Sends `Connection: close` with the last pending response only: Node closes the connection after it. */
function announceEnd(exchanges: readonly Exchange[]): void {
  const open = exchanges.map(({ response }) => response).filter(({ headersSent }) => !headersSent);
  for (const response of open) response.setHeader('Connection', 'keep-alive');
  open.at(-1)?.setHeader('Connection', 'close');
}
