import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A request that Node has parsed, and the response that is due to it. */
interface Exchange {
  readonly response: ServerResponse;
  readonly begin: () => void;
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
  /** On each, in the order of the requests; only the first is being worked on. */
  readonly #connections = new Map<Duplex, Exchange[]>();
  #closing = false;

  add(socket: Socket): void {
    const exchanges: Exchange[] = [];
    this.#connections.set(socket, exchanges);
    // Node resumes a socket whenever the body of a request is read.
    socket.on('resume', () => this.isPaused(socket) && socket.pause());
    socket.once('close', () => {
      exchanges.length = 0;
      this.#connections.delete(socket);
    });
  }

  /**
   * Must be called with every request before its response is sent. Calls `begin` as soon as all earlier requests
   * of the connection have their responses; never, if the client leaves before.
   */
  take({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const exchanges = this.#connections.get(socket);
    if (exchanges === undefined) return;
    exchanges.push({ response, begin });
    if (this.#closing) announceEnd(exchanges);
    response.once('close', () => this.#sent(socket, exchanges));
    if (exchanges.length === 1) begin();
    else if (this.isPaused(socket)) socket.pause();
  }

  /** Whether so many requests wait that nothing more is read. */
  isPaused(socket: Duplex): boolean {
    return this.pendingOn(socket).length > MAX_WAITING;
  }

  /** The responses that were not sent yet, in the order of their requests. */
  pendingOn(socket: Duplex): readonly ServerResponse[] {
    return (this.#connections.get(socket) ?? []).map(({ response }) => response);
  }

  /** Closes idle connections at once, and the others as soon as they have no pending response. */
  closeWhenIdle(): void {
    this.#closing = true;
    for (const [socket, exchanges] of this.#connections) {
      if (exchanges.length === 0) socket.destroy();
      else announceEnd(exchanges);
    }
  }

  destroyAll(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  #sent(socket: Socket, exchanges: Exchange[]): void {
    const wasPaused = this.isPaused(socket);
    exchanges.shift();
    if (wasPaused && !this.isPaused(socket)) socket.resume();
    const [next] = exchanges;
    if (next !== undefined && socket.writable) next.begin();
    else if (this.#closing) socket.destroySoon();
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
