import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * The connections of a server and the answers that each still owes. Node's own `close` cuts off
 * answers that were handed to it but not yet sent; this waits for them.
 */
export class OpenConnections {
  /** Answers in the order of their requests. */
  readonly #owed = new Map<Duplex, Set<ServerResponse>>();
  #closing = false;

  add(socket: Socket): void {
    this.#owed.set(socket, new Set());
    socket.once('close', () => this.#owed.delete(socket));
  }

  /** To be told of every response before it is answered. */
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

  /** Closes what is idle at once, and the others as soon as they owe no answer. */
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

/** Only the last answer of a connection may say that it is the last: Node ends the connection after it. */
function announceEnd(owed: ReadonlySet<ServerResponse>): void {
  const open = [...owed].filter((response) => !response.headersSent);
  for (const response of open) response.setHeader('Connection', 'keep-alive');
  open.at(-1)?.setHeader('Connection', 'close');
}
