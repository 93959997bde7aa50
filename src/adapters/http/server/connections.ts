import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * The connections of a server. Lets it stop without cutting off responses that were passed to Node but not yet sent, which
 * Node's own `close`, http-terminator, http-graceful-shutdown and stoppable cannot do
 * (`docs/decisions/0016-http-by-express.md`).
 */
export class Connections {
  readonly #pending = new Map<Duplex, Set<ServerResponse>>();
  #isClosing = false;

  add(socket: Socket): void {
    this.#pending.set(socket, new Set());
    socket.once('close', () => this.#pending.delete(socket));
  }

  /** Must be called with every request before its response is sent. */
  take({ socket }: IncomingMessage, response: ServerResponse): void {
    const pending = this.#pending.get(socket);
    pending?.add(response);
    if (this.#isClosing) announceEnd(response);
    response.once('close', () => {
      pending?.delete(response);
      if (this.#isClosing && pending?.size === 0) socket.destroySoon();
    });
  }

  /** The responses that were not sent yet, in the order of their requests. */
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

/** Node closes the connection after it. */
function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
