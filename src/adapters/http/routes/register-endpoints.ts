import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Express, Request as ExpressRequest, Response as ExpressResponse } from 'express';
import type { ConcurrencyLimit } from '../server/concurrency-limit.js';
import type { Endpoint } from '../server/endpoint.js';
import { jsonBody } from '../server/json-body.js';
import { SAFE_HEADERS } from '../server/send-json.js';

export interface EndpointParts {
  readonly endpoints: readonly Endpoint[];
  readonly requestLimit: ConcurrencyLimit;
}

/**
 * Adds endpoints to an application; each serves every method of its path. A request counts until its response
 * has ended.
 */
export function registerEndpoints(app: Express, { endpoints, requestLimit }: EndpointParts): void {
  for (const { path, serve } of endpoints) {
    const handle = (request: ExpressRequest, response: ExpressResponse) =>
      requestLimit.run(async () => {
        await send(response, await serve(webRequest(request, response), request.body));
      });
    app.route(path).post(jsonBody, handle).all(handle);
  }
}

/** Aborted when the client leaves. */
function webRequest(request: ExpressRequest, response: ExpressResponse): Request {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  const { method, headersDistinct } = request;
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Request(new URL(request.originalUrl, 'http://localhost'), {
    method,
    headers,
    signal: leaving.signal,
  });
}

async function send(response: ExpressResponse, answer: Response): Promise<void> {
  response.status(answer.status).set(SAFE_HEADERS).set(Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  const body = Readable.fromWeb(answer.body as ReadableStream);
  // A client that leaves while it is being answered is no failure.
  await pipeline(body, response).catch(() => response.destroy());
}
