import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { HttpServer, type HttpServerOptions } from '../../src/adapters/http/server/http-server.js';
import type { Route } from '../../src/app/routes/route.js';
import { searchOnlyApi } from '../../src/app/routes/search-only-api.js';
import { fakeService } from '../fakes/fake-service.js';
import { QuietMonitor } from '../fakes/quiet-monitor.js';
import { SilentLogger } from '../fakes/silent-logger.js';
import { checkEveryResponse } from './every-response.js';
import type { HttpAnswer } from './service-at-url.js';

checkEveryResponse();

/** Routes that a server of this process serves on loopback. The test that starts it must close it. */
export interface ServedApi {
  /** Address of the server, for paths outside `/api/knowledge`. */
  readonly origin: string;
  /** Address of the API. */
  readonly url: string;
  readonly logger: SilentLogger;
  /** Sends a search that both variants serve, with changes to its request. */
  search(changed?: RequestInit): Promise<Response>;
  /**
   * Posts and returns the body of a successful response.
   * @throws Error with the text of any other response
   */
  post(path: string, body: object): Promise<HttpAnswer['body']>;
  /**
   * Gets and returns the body of a successful response.
   * @throws Error with the text of any other response
   */
  get(path: string): Promise<HttpAnswer['body']>;
  /** Idempotent. */
  close(): Promise<void>;
}

export async function serveApi(routes: readonly Route[]): Promise<ServedApi> {
  const logger = new SilentLogger();
  const server = new HttpServer({ ...loopbackParts(routes), logger });
  const origin = await server.listen();
  const url = origin + API;
  return {
    origin,
    url,
    logger,
    search: (changed = {}) => fetch(`${url}/search`, { ...SEARCH, ...changed }),
    post: async (path, body) => okBody(await postJson(url + path, JSON.stringify(body))),
    get: async (path) => okBody(await fetch(url + path)),
    close: () => server.close(),
  };
}

/** Serves the search-only API of a fake, or other options, until the test ends. Tests may write raw bytes to it. */
export async function servedRaw(changed: Partial<HttpServerOptions> = {}) {
  const store = fakeService();
  const [logger, monitor] = [new SilentLogger(), new QuietMonitor()];
  const parts = { ...loopbackParts(searchOnlyApi(store)), logger, monitor, ...changed };
  const server = new HttpServer(parts);
  const url = new URL(await server.listen());
  onTestFinished(() => server.close());
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(url.port), '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  /** Writes a text on a new connection, and returns everything that the server sends until it ends the connection. */
  const exchange = async (sent: string): Promise<string> => {
    const socket = await open();
    // Writes all bytes before reading any, like a blocking client.
    await new Promise((resolve) => socket.write(sent, resolve));
    return textOf(socket);
  };
  return { server, url, store, logger, monitor, open, exchange };
}

/** Everything that the server sends until it ends the connection. */
export async function textOf(socket: Socket): Promise<string> {
  return Buffer.concat(await socket.toArray()).toString();
}

/** The status codes of the responses in a text, in order. */
export function statusesIn(text: string): readonly number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
}

/** Options for tests that start an HttpServer themselves, on loopback and a free port. */
export function loopbackParts(routes: readonly Route[]): HttpServerOptions {
  return {
    routes,
    host: '127.0.0.1',
    port: 0,
    variant: 'a variant',
    logger: new SilentLogger(),
    monitor: new QuietMonitor(),
  };
}

/** Posts a text as JSON, even if it is not valid JSON. */
export function postJson(url: string | URL, body: string): Promise<Response> {
  return fetch(url, { method: 'POST', headers: JSON_HEADERS, body });
}

const API = '/api/knowledge';

const JSON_HEADERS = { 'Content-Type': 'application/json' };

const SEARCH: RequestInit = {
  method: 'POST',
  headers: JSON_HEADERS,
  body: JSON.stringify({ projectPath: '/p', query: 'q' }),
};

async function okBody(answer: Response): Promise<HttpAnswer['body']> {
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`HTTP ${answer.status}: ${text}`);
  return JSON.parse(text);
}
