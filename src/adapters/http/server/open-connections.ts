import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * The connections of a server, and the pending responses of each. Lets a server stop without cutting
 * off responses that were passed to Node but not yet sent, which Node's own `close`, http-terminator,
 * http-graceful-shutdown and stoppable cannot do (`docs/decisions/0016-http-by-express.md`).
 */
export class OpenConnections {
  /** Responses in the order of their requests. */
  readonly #pending = new Map<Duplex, Set<ServerResponse>>();
  #closing = false;

  add(socket: Socket): void {
    this.#pending.set(socket, new Set());
    socket.once('close', () => this.#pending.delete(socket));
  }

  /** Must be called with every response before it is sent. */
  track(response: ServerResponse): void {
    const { socket } = response.req;
    const pending = this.#pending.get(socket) ?? new Set();
    pending.add(response);
    if (this.#closing) announceEnd(pending);
    response.once('close', () => {
      pending.delete(response);
      if (this.#closing && pending.size === 0) socket.destroySoon();
    });
  }

  pendingOn(socket: Duplex): readonly ServerResponse[] {
    return [...(this.#pending.get(socket) ?? [])];
  }

  /** Closes idle connections at once, and the others as soon as they have no pending response. */
  closeWhenIdle(): void {
    this.#closing = true;
    for (const [socket, pending] of this.#pending) {
      if (pending.size === 0) socket.destroy();
      else announceEnd(pending);
    }
  }

  destroyAll(): void {
    for (const socket of this.#pending.keys()) socket.destroy();
  }
}

/** Sends `Connection: close` with the last pending response only: Node closes the connection after it. */
function announceEnd(pending: ReadonlySet<ServerResponse>): void {
  const open = [...pending].filter((response) => !response.headersSent);
  for (const response of open) response.setHeader('Connection', 'keep-alive');
  open.at(-1)?.setHeader('Connection', 'close');
}
