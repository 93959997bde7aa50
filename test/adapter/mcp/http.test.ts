import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, test } from 'vitest';
import type {
  HttpServer,
  HttpServerOptions,
} from '../../../src/adapters/http/server/http-server.js';
import { mcpEndpoint } from '../../../src/adapters/mcp/server/http-endpoint.js';
import { type FakeService, fakeService } from '../../fakes/fake-service.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import {
  clientOfService,
  ERAS,
  fakeMcpParts,
  mcpClient,
  textOf,
} from '../../support/mcp-client.js';
import { servedRaw } from '../../support/served-api.js';

let store: FakeService;
let server: HttpServer;
let url: URL;

beforeEach(() => {
  store = fakeService();
});

describe.each(ERAS)('MCP over HTTP, for a client of the era "%s",', (era) => {
  test('answers calls of tools', async () => {
    await serve({});
    const client = await clientOfService(url, { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('search');
    const found = await search(client);
    expect(textOf(found)).toContain('id: docs/a.md#0');
    expect(store.calls.at(-1)?.args[0]).toMatchObject({ projectPath: '/here' });
    await client.close();
  });

  test('asks for the token', async () => {
    await serve({ token: 'a secret' });
    await expect(clientOfService(url, { era })).rejects.toThrow();
    const client = mcpClient({ era });
    const requestInit = { headers: { Authorization: 'Bearer a secret' } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    expect(textOf(await search(client))).toContain('id: docs/a.md#0');
    await client.close();
  });
});

test('MCP over HTTP asks a client for its roots, since 2026-07-28', async () => {
  await serve({});
  const client = await clientOfService(url, { roots: ['/a'] });
  await search(client);
  expect(store.calls.at(-1)?.args[0]).toMatchObject({ projectPath: '/a' });
  await client.close();
});

const INTRODUCTION = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'a client', version: '1' },
};

describe('MCP over HTTP', () => {
  test.each([
    ['a page of another origin', '{}', { Origin: 'https://evil.example' }, 403],
    ['a body that is no JSON', '{}', { 'Content-Type': 'text/plain' }, 415],
    ['a body of more than 1 MiB', JSON.stringify('x'.repeat(1_048_576)), {}, 413],
  ])('refuses %s as every route does', async (_, body, headers, status) => {
    await serve({});
    const response = await post(body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ success: false });
  });

  test.each([
    '*/*',
    'application/json',
    'application/*;q=0.9',
    'text/html, application/json',
    'text/event-stream',
    'text/*',
    'application/json, text/event-stream',
  ])('answers a client that accepts %s', async (accepted) => {
    await serve({});
    const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params: INTRODUCTION };
    const response = await post(JSON.stringify(request), { Accept: accepted });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('knowledge-store');
  });

  test.each(['application/json', 'application/*', 'text/html, application/json;q=0.9'])(
    'sends no events to a client that accepts %s',
    async (accepted) => {
      await serve({});
      const request = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };
      const response = await post(JSON.stringify(request), { Accept: accepted });
      expect(response.headers.get('content-type')).toContain('application/json');
      expect(await response.json()).toMatchObject({ id: 7, result: { tools: expect.any(Array) } });
    },
  );

  test.each([
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
    ['prompts/list', 'prompts'],
  ])('has an empty list for %s', async (method, name) => {
    await serve({});
    const request = { jsonrpc: '2.0', id: 1, method, params: {} };
    const response = await post(JSON.stringify(request), { Accept: 'application/json' });
    expect(await response.text()).toContain(`"result":{"${name}":[]`);
  });

  test('refuses a batch, which would count as one request', async () => {
    await serve({});
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const response = await post(JSON.stringify([request, request]), {});
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32_600 } });
  });

  test.each(['GET', 'DELETE', 'PUT'])(
    'serves no %s, because it keeps no sessions',
    async (method) => {
      await serve({});
      expect((await fetch(url, { method })).status).toBe(405);
    },
  );

  test('refuses what is not a message of the protocol', async () => {
    await serve({});
    expect((await post('{"a":1}', {})).status).toBe(400);
    expect(store.calls).toEqual([]);
  });

  test('responds with 503 beyond the limit of requests', async () => {
    await serve({ limits: { maxInFlight: 1 } });
    const release = store.hold();
    const held = post(CALL, {});
    await store.called(1);
    const refused = await post(CALL, {});
    expect(refused.status).toBe(503);
    release();
    expect((await held).status).toBe(200);
  });

  test('responds with 503 beyond the limit of a project, and serves others', async () => {
    await serve({ limits: { maxPerProject: 1 } });
    const release = store.hold();
    const held = post(callIn('/busy'), {});
    await store.called(1);
    expect((await post(callIn('/busy'), {})).status).toBe(503);
    const other = post(callIn('/other'), {});
    await store.called(2);
    release();
    expect([(await held).status, (await other).status]).toEqual([200, 200]);
  });

  test('lets a server stop while a client listens to it', async () => {
    await serve({});
    const client = await clientOfService(url);
    await search(client);
    await server.close();
    await expect(fetch(url, { method: 'POST' })).rejects.toThrow();
  });
});

// Helpers

const CALL = callIn(undefined);

function callIn(project: string | undefined): string {
  const params = { name: 'search', arguments: { query: 'q', project } };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

async function serve(changed: Partial<HttpServerOptions>): Promise<void> {
  const logger = new SilentLogger();
  const endpoint = mcpEndpoint({
    ...fakeMcpParts(store),
    directory: '/here',
    version: '1.2.3',
    logger,
  });
  const served = await servedRaw({ routes: [], endpoints: [endpoint], ...changed });
  server = served.server;
  url = new URL('/mcp', served.url);
}

function search(client: Client) {
  return client.callTool({ name: 'search', arguments: { query: 'q' } });
}

function post(body: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const accepted = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  return fetch(url, { method: 'POST', headers: { ...accepted, ...headers }, body });
}
