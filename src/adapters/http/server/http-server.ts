import {
  createServer,
  IncomingMessage,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import express, { type Express } from 'express';
import { errorReason } from '../../../domain/errors.js';
import { type ApplicationOptions, createApplication } from './application.js';
import { Connections, respondToClientError, sendRawResponse } from './connections.js';
import { RequestLimit } from './request-limit.js';
import {
  DEFAULT_SERVER_LIMITS,
  KEEP_ALIVE_TIMEOUT_MS,
  type ServerLimits,
} from './server-limits.js';

export interface HttpServerOptions extends ApplicationOptions {
  /** 0 picks a free port. */
  readonly port: number;
  readonly limits?: Partial<ServerLimits>;
  /**
   * Serves a connection in the protocol that a request asked for by `Upgrade`. Without this function, such a request is
   * served like any other.
   */
  readonly upgrade?: (request: IncomingMessage, connection: Duplex) => void;
}

/** Serves routes over HTTP to programs, and to the service's own pages, but not to web pages of other origins. */
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

  /** Serves a connection that something else has accepted. */
  accept(connection: Socket): void {
    this.#server.emit('connection', connection);
  }

  /** The number of open connections. */
  get connections(): number {
    return this.#connections.count;
  }

  /** The number of API requests in progress, including waiting ones. */
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
            reason: errorReason(error),
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
    this.#requestLimit.close();
    const endpoints = this.#options.endpoints ?? [];
    const endpointsClosed = Promise.all(endpoints.map(({ close }) => close()));
    const ended = this.#ended();
    this.#connections.closeWhenIdle();
    const grace = setTimeout(() => this.#connections.destroyAll(), this.#limits.graceMs);
    await Promise.all([ended, endpointsClosed]);
    clearTimeout(grace);
    this.#server.close();
  }

  async #ended(): Promise<void> {
    if (!this.#server.listening) return this.#connections.allClosed();
    await new Promise<void>((resolve) => {
      // node:http's own `close` would cut off responses that are still being sent.
      NetServer.prototype.close.call(this.#server, () => resolve());
    });
  }

  #createServer(): Server {
    const { app, handle } = createApplication(this.#options, this.#requestLimit);
    const server = createServer({ ...serverOptions(this.#limits), ...expressClasses(app) });
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

  /**
   * Closes a connection on which nothing was sent or received for a while, unless its client is legitimately waiting
   * for a response.
   */
  #endIfStalled(socket: Socket): void {
    const isWaiting = this.#connections.pendingOn(socket).length > 0;
    if (socket.writableLength > 0 || !isWaiting) socket.destroy();
  }

  #respondBeyondRequests(server: Server): void {
    server.on('clientError', (error, socket) =>
      respondToClientError(error, socket, this.#connections),
    );
    const { upgrade } = this.#options;
    if (upgrade !== undefined) {
      server.on('upgrade', (request, socket) => {
        this.#connections.leave(socket);
        upgrade(request, socket);
      });
    }
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

function serverOptions(limits: ServerLimits): ServerOptions {
  return {
    // The guard refuses a missing Host header instead, with a JSON response.
    requireHostHeader: false,
    requestTimeout: limits.requestTimeoutMs,
    headersTimeout: limits.headersTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: limits.timeoutCheckMs,
  };
}

const NO_PROXY = {
  status: 405,
  code: 'method_not_allowed',
  sentence: 'This service is not a proxy.',
} as const;

/**
 * Classes for the requests and responses of an Express application, whose objects already have Express's prototypes.
 * Otherwise Express changes the prototype of each object that it handles, which costs 0.2 ms of processor time per
 * request.
 */
function expressClasses(
  app: Express,
): Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>> {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  app.request = extendPrototype(ExpressRequest.prototype, express.request, app);
  app.response = extendPrototype(ExpressResponse.prototype, express.response, app);
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** Prepares a prototype as Express itself does in `express()`. */
function extendPrototype<T extends object>(prototype: object, parent: T, app: Express): T {
  Object.setPrototypeOf(prototype, parent);
  return Object.assign(prototype, { app }) as T;
}
