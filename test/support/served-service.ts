import { HttpServer } from '../../src/adapters/http/server/http-server.js';
import type { KnowledgeStoreOptions } from '../../src/app/config/options.js';
import { configFrom } from '../../src/app/config/read-config.js';
import type { ComposedService } from '../../src/app/service/service.js';
import { composeService } from '../../src/app/wiring/container.js';
import { hostOptions } from '../../src/app/wiring/replaceable-ports.js';
import { listRoutes } from '../../src/app/wiring/routes.js';
import { SilentLogger } from '../fakes/silent-logger.js';
import { Client } from './running-service-calls.js';
import { loopbackParts } from './served-api.js';
import { ServiceAtUrl } from './service-at-url.js';

/** The whole service in this process. A test can replace the web, the model or the time. */
export class ServedService extends ServiceAtUrl {
  readonly #server: HttpServer;
  readonly #service: ComposedService;

  private constructor(url: string, server: HttpServer, service: ComposedService) {
    super(url);
    this.#server = server;
    this.#service = service;
  }

  static async start(options: KnowledgeStoreOptions): Promise<ServedService> {
    const all = { logger: new SilentLogger(), downloads: 'forbidden', ...options } as const;
    const config = configFrom(all);
    const service = composeService(config, hostOptions(all));
    const server = new HttpServer(loopbackParts(listRoutes(config, service)));
    return new ServedService(await server.listen(), server, service);
  }

  async stop(): Promise<void> {
    await this.#server.close();
    await this.#service.stop();
  }
}

/** A client of the hybrid variant in this process. */
export async function serveHybrid(options: KnowledgeStoreOptions): Promise<Client<ServedService>> {
  return new Client(await ServedService.start(options), 'hybrid');
}
