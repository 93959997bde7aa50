import { createServer, type Server, type ServerOptions } from 'node:http';
import { Server as NetServer } from 'node:net';
import { reasonOf } from '../../../domain/errors.js';
import type { Logger } from '../../../ports/driven/logger.js';
import { hostGuard } from '../guards/host-guard.js';
import { originGuard } from '../guards/origin-guard.js';
import { tokenGuard } from '../guards/token-guard.js';
import { documentsOf } from '../openapi/documents.js';
import { healthRoute, metricsRoute, readyRoute } from '../routes/probe-routes.js';
import type { Route, SetHeader } from '../routes/route.js';
import { createApplication } from './application.js';
import { respondToClientError } from './client-error.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import type { Endpoint } from './endpoint.js';
import type { Monitor } from './monitor.js';
import { OpenConnections } from './open-connections.js';
import { sendRawResponse } from './raw-response.js';
import {
  DEFAULT_SERVER_LIMITS,
  KEEP_ALIVE_TIMEOUT_MS,
  type ServerLimits,
} from './server-limits.js';

export interface HttpServerParts {
  /** The API of a variant; `/health`, `/ready`, `/metrics`, `/openapi.json` and `/docs` are added to it. */
  readonly routes: readonly Route[];
  /** Further protocols, such as MCP. */
  readonly endpoints?: readonly Endpoint[];
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** If set, every route except `/health` requires it. */
  readonly token?: string;
  /** The name that `/ready` reports. */
  readonly variant: string;
  readonly logger: Logger;
  readonly monitor: Monitor;
  readonly limits?: Partial<ServerLimits>;
}

/** Serves routes over HTTP to programs, but not to web pages of other origins. */
export class HttpServer {
  readonly #parts: HttpServerParts;
  readonly #limits: ServerLimits;
  readonly #connections = new OpenConnections();
  readonly #requestLimit: ConcurrencyLimit;
  readonly #server: Server;
  #closed: Promise<void> | undefined;

  constructor(parts: HttpServerParts) {
    this.#parts = parts;
    this.#limits = { ...DEFAULT_SERVER_LIMITS, ...parts.limits };
    this.#requestLimit = new ConcurrencyLimit(this.#limits.maxInFlight);
    this.#server = this.#createServer();
  }

  /**
   * Starts to listen and returns the base URL, with the port that was bound.
   * @throws Node's error if the address cannot be bound
   */
  listen(): Promise<string> {
    const { host, port } = this.#parts;
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject);
        this.#server.on('error', (error) => {
          this.#parts.logger.warn('The HTTP server reported an error.', {
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
    const endpoints = this.#parts.endpoints ?? [];
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
    const { endpoints = [], host, token, variant, logger, monitor } = this.#parts;
    const texts = [metricsRoute({ monitor, requestLimit: this.#requestLimit })];
    const routes = this.#routes();
    const access = token === undefined ? 'open' : 'token';
    const { handle, serverOptions } = createApplication({
      routes,
      texts,
      documents: documentsOf({ routes, texts, variant, access }),
      endpoints,
      requestLimit: this.#requestLimit,
      guards: [hostGuard(host), originGuard, tokenGuard(token)],
      logger,
      monitor,
    });
    const server = createServer({ ...optionsOf(this.#limits), ...serverOptions });
    server.maxConnections = this.#limits.maxConnections;
    server.on('connection', (socket) => this.#connections.add(socket));
    for (const event of ['request', 'checkExpectation'] as const) {
      server.on(event, (request, response) => {
        this.#connections.track(response);
        handle(request, response);
      });
    }
    this.#respondBeyondRequests(server);
    return server;
  }

  #respondBeyondRequests(server: Server): void {
    server.on('clientError', (error, socket) =>
      respondToClientError(error, socket, this.#connections),
    );
    server.on('connect', (_request, socket) => sendRawResponse(socket, NO_PROXY));
  }

  #routes(): readonly Route[] {
    const requestLimit = this.#requestLimit;
    const guarded = this.#parts.routes.map((route) => ({
      ...route,
      errors: [...route.errors, ...GATE_ERRORS],
      handle: (fields: unknown, setHeader?: SetHeader) =>
        requestLimit.run(() => route.handle(fields, setHeader)),
    }));
    const { variant, monitor } = this.#parts;
    return [healthRoute, readyRoute({ variant, requestLimit, monitor }), ...guarded];
  }

  #url(): string {
    const { host } = this.#parts;
    const address = this.#server.address();
    const port = typeof address === 'object' && address !== null ? address.port : this.#parts.port;
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

/** What a route may fail with before it is called. */
const GATE_ERRORS = ['overloaded', 'store_unavailable'] as const;

const NO_PROXY = {
  status: 405,
  code: 'method_not_allowed',
  sentence: 'This service is not a proxy.',
} as const;
