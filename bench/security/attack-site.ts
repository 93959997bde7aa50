import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { ATTACK_PAGE, type AttackReport } from './attack-page.js';

/** The web site of an attacker, on a port of this machine. */
export class AttackSite {
  /** A name of the attacker that the browser resolves to this machine. */
  static readonly reboundHost = 'evil.test';
  readonly #server: Server;
  #receive: (report: AttackReport) => void = () => undefined;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', async (request, response) => {
      if (request.method === 'POST') this.#receive((await json(request)) as AttackReport);
      response.setHeader('Content-Type', 'text/html');
      response.end(request.method === 'POST' ? '' : ATTACK_PAGE);
    });
  }

  static async start(): Promise<AttackSite> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new AttackSite(server);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get reboundOrigin(): string {
    return `http://${AttackSite.reboundHost}:${this.#port}`;
  }

  /** What the next page that is opened reports. */
  report(): Promise<AttackReport> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The page has reported nothing.')), 120_000);
      this.#receive = (report) => {
        clearTimeout(timer);
        resolve(report);
      };
    });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }
}
