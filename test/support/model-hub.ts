import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TINY_MODEL, tinyModelFiles } from './tiny-model.js';

/** How the hub responds to a request for one file. `content` is the file's correct content. */
export type HubAnswer = (
  response: ServerResponse,
  content: Buffer,
  request: IncomingMessage,
) => void | Promise<void>;

/** A hub on loopback that serves the tiny model, correctly unless told otherwise. */
export class ModelHub {
  readonly #server: Server;
  readonly #files = tinyModelFiles();
  readonly #answers = new Map<string, HubAnswer>();
  readonly #requests: string[] = [];

  static async start(): Promise<ModelHub> {
    const hub = new ModelHub();
    hub.#server.listen(0, '127.0.0.1');
    await once(hub.#server, 'listening');
    return hub;
  }

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request, response);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The requested paths, in order. */
  get requests(): readonly string[] {
    return this.#requests;
  }

  /** Sets the response for a file from now on. For any other path, the response gets the content of the weights. */
  answer(file: string, answer: HubAnswer): void {
    this.#answers.set(file, answer);
  }

  /** Serves every file correctly from now on. */
  behave(): void {
    this.#answers.clear();
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    this.#requests.push(path);
    const file = path.replace(`/${TINY_MODEL}/resolve/main/`, '');
    const content = this.#files.get(file) ?? this.#files.get(WEIGHTS);
    const answer = this.#answers.get(file) ?? (this.#files.has(file) ? whole : notFound);
    if (content !== undefined) await answer(response, content, request);
  }
}

export const WEIGHTS = 'onnx/model_quantized.onnx';

export const whole: HubAnswer = (response, content) => {
  response.setHeader('content-length', content.length).end(content);
};

export const notFound: HubAnswer = (response) => {
  response.writeHead(404).end('Entry not found');
};

export const serverError: HubAnswer = (response) => {
  response.writeHead(500).end();
};

/** Other content of the same length. */
export const wrongBytes: HubAnswer = (response, content, request) =>
  whole(response, Buffer.alloc(content.length, 7), request);

/** The page that a captive portal sends for any request. */
export const page: HubAnswer = (response) => {
  response.setHeader('content-type', 'text/html').end('<!doctype html><p>Please sign in</p>');
};

export function redirect(location: string): HubAnswer {
  return (response) => {
    response.writeHead(302, { location }).end();
  };
}

/** Sends half of a file and then, once that is on its way, calls `next`. */
export function halfThen(next: (response: Parameters<HubAnswer>[0]) => void): HubAnswer {
  return async (response, content) => {
    response.setHeader('content-length', content.length);
    if (!response.write(content.subarray(0, content.length / 2))) await once(response, 'drain');
    next(response);
  };
}
