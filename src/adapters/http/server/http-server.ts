import { createServer, type Server, type ServerOptions } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { reasonOf } from '../../../domain/errors.js';
import type { Logger } from '../../../ports/logger.js';
import type { DocumentedService } from '../openapi/document.js';
import { HEALTH_PATH, metricsPage, probeRoutes } from '../routes/probe-routes.js';
import type { Endpoint, Page } from '../routes/register-routes.js';
import type { Route } from '../routes/route.js';
import { type Application, createApplication } from './application.js';
import { Connections, respondToClientError, sendRawResponse } from './connections.js';
import { guardsOf } from './guards.js';
import type { Monitor } from './monitor.js';
import { RequestLimit } from './request-limit.js';
import {
  DEFAULT_SERVER_LIMITS,
  KEEP_ALIVE_TIMEOUT_MS,
  type ServerLimits,
} from './server-limits.js';

export interface HttpServerOptions {
  /** The API of a variant; `/health`, `/ready`, `/metrics` and `/openapi.json` are added to it. */
  readonly routes: readonly Route[];
  /** For people. */
  readonly webPages?: readonly Page[];
  /** Further protocols, such as MCP. */
  readonly endpoints?: readonly Endpoint[];
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Further hosts by which requests may address the service, such as those of a reverse proxy. */
  readonly allowedHosts?: readonly string[];
  /** If set, every path except `/health` and the files of the console requires it. */
  readonly token?: string;
  /** The name that `/ready` reports. */
  readonly variant: string;
  readonly logger: Logger;
  readonly monitor: Monitor;
  readonly limits?: Partial<ServerLimits>;
}

/** Serves routes over HTTP to programs, but not to web pages of other origins. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #limits: ServerLimits;
  readonly #connections = new Connections();
  readonly #requestLimit: RequestLimit;
  readonly #server: Server;
  #closed: Promise<void> | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_SERVER_LIMITS, ...options.limits };
    this.#requestLimit = new RequestLimit(this.#limits);
    this.#server = this.#createServer();
  }

  /** Of the API, waiting ones included. */
  get requestsInProgress(): number {
    return this.#requestLimit.inFlight;
  }

  /**
   * Starts to listen and returns the base URL, with the port that was bound.
   * @throws Node's error if the address cannot be bound
   */
  listen(): Promise<string> {
    const { host, port } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port, backlog: this.#limits.maxConnections }, () => {
        this.#server.off('error', reject);
        this.#server.on('error', (error) => {
          this.#options.logger.warn('The HTTP server reported an error.', {
            reason: reasonOf(error),
          });
        });
        resolve(this.#url());
      });
    });
  }

  /**
   * Stops gracefully: accepts no more connections, closes idle ones, lets requests in flight finish
   * within the grace time, and refuses further requests. Idempotent.
   */
  close(): Promise<void> {
    this.#closed ??= this.#stop();
    return this.#closed;
  }

  async #stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#requestLimit.close();
    const endpoints = this.#options.endpoints ?? [];
    const endpointsClosed = Promise.all(endpoints.map(({ close }) => close()));
    const ended = new Promise<void>((resolve) => {
      // The `close` of node:http would cut off responses that are still being sent.
      NetServer.prototype.close.call(this.#server, () => resolve());
    });
    this.#connections.closeWhenIdle();
    const grace = setTimeout(() => this.#connections.destroyAll(), this.#limits.graceMs);
    await Promise.all([ended, endpointsClosed]);
    clearTimeout(grace);
    this.#server.close();
  }

  #createServer(): Server {
    const { handle, serverOptions } = this.#application();
    const server = createServer({ ...optionsOf(this.#limits), ...serverOptions });
    server.maxConnections = this.#limits.maxConnections;
    server.maxRequestsPerSocket = this.#limits.maxRequestsPerConnection;
    server.setTimeout(this.#limits.stalledMs, (socket) => this.#endIfStalled(socket));
    server.on('connection', (socket) => this.#connections.add(socket));
    for (const event of ['request', 'checkExpectation'] as const) {
      server.on(event, this.#connections.taking(handle));
    }
    this.#respondBeyondRequests(server);
    return server;
  }

  #application(): Application {
    const { endpoints = [], allowedHosts = [], host, token, ...others } = this.#options;
    const { variant, logger, monitor } = others;
    const requestLimit = this.#requestLimit;
    const probes = probeRoutes({ variant, requestLimit, monitor });
    const { routes } = this.#options;
    const metrics = metricsPage(monitor);
    const access = token === undefined ? 'open' : 'token';
    const service = { routes: [...probes, ...routes], pages: [metrics], variant, access } as const;
    const pages = [metrics, documentPage(service), ...(this.#options.webPages ?? [])];
    const openPaths = [HEALTH_PATH, ...pages.filter(isOpen).map(({ path }) => path)];
    return createApplication({
      ...{ probes, routes, pages, endpoints },
      ...{ guards: guardsOf({ host, allowedHosts, token, openPaths }), requestLimit },
      ...{ logger, monitor },
    });
  }

  /** Called when nothing was sent or received for a while: also while a client rightly waits for its response. */
  #endIfStalled(socket: Socket): void {
    const isWaiting = this.#connections.pendingOn(socket).length > 0;
    if (socket.writableLength > 0 || !isWaiting) socket.destroy();
  }

  #respondBeyondRequests(server: Server): void {
    server.on('clientError', (error, socket) =>
      respondToClientError(error, socket, this.#connections),
    );
    server.on('connect', (_request, socket) => sendRawResponse(socket, NO_PROXY));
  }

  #url(): string {
    const { host } = this.#options;
    const address = this.#server.address();
    const port =
      typeof address === 'object' && address !== null ? address.port : this.#options.port;
    return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }
}

function optionsOf(limits: ServerLimits): ServerOptions {
  return {
    // A missing Host header is refused by the guard, with a JSON response.
    requireHostHeader: false,
    requestTimeout: limits.requestTimeoutMs,
    headersTimeout: limits.headersTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: limits.timeoutCheckMs,
  };
}

function isOpen({ access }: Page): boolean {
  return access === 'open';
}

const NO_PROXY = {
  status: 405,
  code: 'method_not_allowed',
  sentence: 'This service is not a proxy.',
} as const;

/** What a running service describes itself with; made, and what makes it loaded, for the first request. */
function documentPage(service: DocumentedService): Page {
  let text: Promise<string> | undefined;
  const make = async () => {
    const { createDocument } = await import('../openapi/document.js');
    return JSON.stringify(createDocument(service));
  };
  const read = () => {
    text ??= make();
    return text;
  };
  return { path: '/openapi.json', type: 'json', read };
}
