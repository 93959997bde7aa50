import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** How a server behaves on one connection; `answer` is called with each message after the first one. */
export interface Manners {
  readonly greet: (socket: Socket) => void;
  readonly answer?: (socket: Socket, message: Buffer) => void;
}

/** A server that accepts connections as PostgreSQL does, and then misbehaves. */
export class HostileServer {
  manners: Manners;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #connections = 0;

  static async start(manners: Manners): Promise<HostileServer> {
    const hostile = new HostileServer(manners);
    hostile.#server.listen(0, '127.0.0.1');
    await once(hostile.#server, 'listening');
    return hostile;
  }

  private constructor(manners: Manners) {
    this.manners = manners;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#serve(socket));
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `postgres://hawk:heron@127.0.0.1:${port}/osprey`;
  }

  /** Connections that the client has not closed. */
  get connections(): number {
    return this.#connections;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    let isGreeted = false;
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    this.#connections += 1;
    let isOpen = true;
    const leave = () => {
      if (isOpen) this.#connections -= 1;
      isOpen = false;
    };
    socket.on('close', leave);
    socket.on('end', leave);
    socket.on('data', (message) => {
      if (isGreeted) this.manners.answer?.(socket, message);
      else this.manners.greet(socket);
      isGreeted = true;
    });
  }
}

/** A message of the protocol; `length` is what it says of itself. */
export function message(type: string, body = Buffer.alloc(0), length = body.length + 4): Buffer {
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeUInt32BE(length, 1);
  return Buffer.concat([header, body]);
}

/** Lets anybody in, and is ready for statements. */
export const WELCOME = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('K', Buffer.alloc(8)),
  message('Z', Buffer.from('I')),
]);
