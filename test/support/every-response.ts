import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, expect } from 'vitest';
import { createDocument } from '../../src/adapters/http/openapi/document.js';
import { probeRoutes } from '../../src/adapters/http/server/probe-routes.js';
import { RequestLimit } from '../../src/adapters/http/server/request-limit.js';
import { DEFAULT_SERVER_LIMITS } from '../../src/adapters/http/server/server-limits.js';
import { hybridApi } from '../../src/app/routes/hybrid-api.js';
import { searchOnlyApi } from '../../src/app/routes/search-only-api.js';
import { fakeService } from '../fakes/fake-service.js';
import { QuietMonitor } from '../fakes/quiet-monitor.js';
import { type DescribedResponse, misfitsOf, operationOf } from './documented-responses.js';

/**
 * Fails a test if a server of this process sent a response that the OpenAPI document of neither variant describes. Node
 * reports every request, so tests may send theirs in any way.
 */
export function checkEveryResponse(): void {
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as Exchange;
    onEnd(response, (body) => sent.push(describedResponse(request, response, body)));
  });
  afterEach(() => {
    const misfits = sent.splice(0).flatMap(misfitsIn);
    if (isChecked) expect(misfits).toEqual([]);
    isChecked = true;
  });
}

/** Turns the check off for the running test, whose fake store fails in ways that the real one never does. */
export function allowUndescribedResponses(): void {
  isChecked = false;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const sent: DescribedResponse[] = [];
let isChecked = true;

const store = fakeService();
const monitor = new QuietMonitor();
const requestLimit = new RequestLimit(DEFAULT_SERVER_LIMITS);
const probes = probeRoutes({ variant: '', requestLimit, monitor });

const DOCUMENTS = [searchOnlyApi(store), hybridApi(store)].map((api) => {
  const routes = [...probes, ...api];
  const document = createDocument({ routes, variant: '', access: 'token' });
  return { document, misfitOf: misfitsOf(document) };
});

/** Passes on the whole body as soon as the response ends. */
function onEnd(response: ServerResponse, use: (body: string) => void): void {
  const parts: Buffer[] = [];
  for (const name of ['write', 'end'] as const) {
    const original = response[name].bind(response) as (...args: readonly unknown[]) => never;
    response[name] = (...args: readonly unknown[]) => {
      const [chunk] = args;
      if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) parts.push(Buffer.from(chunk));
      const result = original(...args);
      if (name === 'end') use(Buffer.concat(parts).toString());
      return result;
    };
  }
}

function describedResponse(
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
  text: string,
): DescribedResponse {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/[?#].*$/, '');
  const isJson = String(response.getHeader('content-type')).startsWith('application/json');
  const body = isJson && text !== '' ? JSON.parse(text) : undefined;
  return { method, path, status: response.statusCode, headers: response.getHeaders(), body };
}

/** Why a response matches no document. Ignores routes that no document has, because only a test has them. */
function misfitsIn(response: DescribedResponse): readonly string[] {
  const found = DOCUMENTS.filter(({ document }) =>
    operationOf(document, response.method, response.path),
  ).map(({ misfitOf }) => misfitOf(response));
  if (response.method === 'HEAD' || response.status === 405 || found.includes(undefined)) return [];
  return found.filter((misfit) => misfit !== undefined);
}
