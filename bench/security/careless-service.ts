import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The negative control: does what anybody asks, whoever they are and whatever they call their body. */
export class CarelessService {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<CarelessService> {
    const server = createServer(async (request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const [, fromBody] = /"projectPath":"([^"]+)"/.exec(await text(request)) ?? [];
      const project = url.searchParams.get('projectPath') ?? fromBody;
      if (project !== undefined) mkdirSync(join(project, '.knowledge'), { recursive: true });
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CarelessService(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
