import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection to a server on loopback, for tests that write the bytes of a request themselves. */
export async function openConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Everything that the server sends until it ends the connection. */
export async function textOf(socket: Socket): Promise<string> {
  return Buffer.concat(await socket.toArray()).toString();
}

/** The statuses of the responses in a text, in their order. */
export function statusesIn(text: string): readonly number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
}
