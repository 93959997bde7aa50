import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  HttpPageFetcher,
  type HttpPageFetcherOptions,
} from '../../src/adapters/fetch/http-page-fetcher.js';

/** Plays the web, by default on 127.0.0.1. */
export class WebServer {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(listener: RequestListener, host = '127.0.0.1'): Promise<WebServer> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return new WebServer(server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** A URL with a host name that {@link localFetcher} resolves to this server. */
  url(path = '/', host = 'web.example'): string {
    return `http://${host}:${this.port}${path}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A fetcher that resolves every name to 127.0.0.1, the only address it may reach. */
export function localFetcher(options: HttpPageFetcherOptions = {}): HttpPageFetcher {
  return new HttpPageFetcher({
    isAllowed: (address) => address === '127.0.0.1',
    resolve: async () => ['127.0.0.1'],
    workerFile: new URL('../../dist/adapters/fetch/reading-worker.js', import.meta.url),
    ...options,
  });
}
