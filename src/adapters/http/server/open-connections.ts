import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * The connections of a server, and the responses that each still owes. Lets a server stop without
 * cutting off responses that were handed to Node but not yet sent. Node's own `close` and http-terminator,
 * http-graceful-shutdown and stoppable fail the tests "sends the whole of a long answer" and "answers 503
 * to what comes on a connection that is still at work" (`docs/decisions/0016-http-by-express.md`).
 */
export class OpenConnections {
  /** Responses in the order of their requests. */
  readonly #owed = new Map<Duplex, Set<ServerResponse>>();
  #closing = false;

  add(socket: Socket): void {
    this.#owed.set(socket, new Set());
    socket.once('close', () => this.#owed.delete(socket));
  }

  /** Must be called with every response before it is sent. */
  track(response: ServerResponse): void {
    const { socket } = response.req;
    const owed = this.#owed.get(socket) ?? new Set();
    owed.add(response);
    if (this.#closing) announceEnd(owed);
    response.once('close', () => {
      owed.delete(response);
      if (this.#closing && owed.size === 0) socket.destroySoon();
    });
  }

  owedOn(socket: Duplex): readonly ServerResponse[] {
    return [...(this.#owed.get(socket) ?? [])];
  }

  /** Closes idle connections at once, and the others as soon as they owe no response. */
  closeGently(): void {
    this.#closing = true;
    for (const [socket, owed] of this.#owed) {
      if (owed.size === 0) socket.destroy();
      else announceEnd(owed);
    }
  }

  destroyAll(): void {
    for (const socket of this.#owed.keys()) socket.destroy();
  }
}

/** Only the last response of a connection may announce its end: Node closes the connection after it. */
function announceEnd(owed: ReadonlySet<ServerResponse>): void {
  const open = [...owed].filter((response) => !response.headersSent);
  for (const response of open) response.setHeader('Connection', 'keep-alive');
  open.at(-1)?.setHeader('Connection', 'close');
}
