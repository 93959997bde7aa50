import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type Route, route } from '../../../src/adapters/http/routes/route.js';
import { searchOnlyApi } from '../../../src/adapters/http/routes/search-only-api.js';
import { HttpServer } from '../../../src/adapters/http/server/http-server.js';
import type { ServerLimits } from '../../../src/adapters/http/server/server-limits.js';
import { projectRequest } from '../../../src/schemas/fields.js';
import { type FakeService, fakeService } from '../../fakes/fake-service.js';
import { QuietMonitor } from '../../fakes/quiet-monitor.js';
import { openConnection, statusesIn, textOf } from '../../support/raw-connection.js';
import { loopbackParts } from '../../support/served-api.js';

const HOST = 'Host: localhost\r\n';
const CONTENT = 'x'.repeat(20_000_000);

let store: FakeService;
let monitor: QuietMonitor;
let server: HttpServer;
let port: number;
let long: { readonly route: Route; made: number };
const sockets: Socket[] = [];

beforeEach(() => {
  [store, monitor] = [fakeService(), new QuietMonitor()];
  long = longRoute();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

describe('a client that does not read', () => {
  test('is cut off once it has taken nothing for a while', async () => {
    await serve({ stalledMs: 300 });
    const socket = await opened();
    socket.pause();
    socket.write(longRequest());
    const closed = once(socket, 'close');
    while (long.made === 0) await yieldToEventLoop();
    expect(await statusOf(stats('/other', 'close'))).toBe(200);
    await endedRequests(2);
    socket.resume();
    await closed;
  });

  test('gets all of its response if it reads slowly', async () => {
    await serve({ stalledMs: 1_000 });
    const socket = await opened();
    const begin = performance.now();
    socket.write(longRequest('close'));
    let length = 0;
    for await (const part of socket) {
      length += part.length;
      await new Promise((resolve) => setTimeout(resolve, 8));
    }
    expect(length).toBeGreaterThan(CONTENT.length);
    expect(performance.now() - begin).toBeGreaterThan(1_000);
  });
});

test('a client may wait for its response for longer than it may take to read it', async () => {
  await serve({ stalledMs: 20 });
  const release = store.hold();
  const socket = await opened();
  socket.write(stats('/p', 'close'));
  await store.called(1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  release();
  expect(statusesIn(await textOf(socket))).toEqual([200]);
});

test('the last response of a connection says so', async () => {
  await serve({ maxRequestsPerConnection: 2 });
  const socket = await opened();
  let text = '';
  socket.on('data', (part) => (text += part));
  socket.write(stats('/p'));
  await store.called(1);
  socket.write(stats('/p'));
  await vi.waitUntil(() => statusesIn(text).length === 2);
  expect(text).toMatch(/Connection: close\r\n(?!.*HTTP)/s);
});

describe('many requests for one project', () => {
  test('wait for each other, and not longer than their clients', async () => {
    await serve({ maxBegunPerProject: 2 });
    const release = store.hold();
    const waiting: Socket[] = [];
    for (let index = 0; index < 6; index += 1) {
      const socket = await opened();
      socket.write(stats('/busy'));
      waiting.push(socket);
    }
    await store.called(2);
    (await opened()).write(stats('/other'));
    await store.called(3);
    for (const socket of waiting.slice(0, 5)) await leave(socket);
    release();
    await once(waiting[5] as Socket, 'data');
    expect(projects()).toEqual(['/busy', '/busy', '/other', '/busy']);
  });

  test('beyond their limit get 503, while others are served', async () => {
    await serve({ maxPerProject: 1 });
    const release = store.hold();
    (await opened()).write(stats('/busy'));
    await store.called(1);
    expect(await statusOf(stats('/busy', 'close'))).toBe(503);
    const other = statusOf(stats('/other', 'close'));
    await store.called(2);
    release();
    expect(await other).toBe(200);
  });
});

async function serve(limits: Partial<ServerLimits> = {}): Promise<void> {
  const parts = loopbackParts([...searchOnlyApi(store), long.route]);
  server = new HttpServer({ ...parts, monitor, limits });
  port = Number(new URL(await server.listen()).port);
}

/** Counts the responses that it has made, of 20 MB each. */
function longRoute() {
  const counted = { made: 0 };
  const definition = route('POST /long', {
    summary: 'Long.',
    request: projectRequest,
    response: z.object({ content: z.string() }),
    handle: (_: unknown) => {
      counted.made += 1;
      return { content: CONTENT };
    },
  });
  return Object.assign(counted, { route: definition.servedBy(undefined) });
}

function stats(projectPath: string, connection = 'keep-alive', path = '/api/knowledge/stats') {
  const body = JSON.stringify({ projectPath });
  const headers = `${HOST}Content-Type: application/json\r\nConnection: ${connection}\r\n`;
  return `POST ${path} HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
}

function longRequest(connection = 'keep-alive'): string {
  return stats('/p', connection, '/long');
}

/** Of the calls that have reached the store, in their order. */
function projects(): readonly unknown[] {
  return store.calls
    .filter(({ method }) => method === 'status.stats')
    .map(({ args }) => (args[0] as { projectPath: string }).projectPath);
}

async function opened(): Promise<Socket> {
  const socket = await openConnection(port);
  sockets.push(socket.on('error', () => {}));
  return socket;
}

/** Leaves, and waits until the server has noticed it. */
async function leave(socket: Socket): Promise<void> {
  const ended = monitor.requests.length;
  socket.destroy();
  await endedRequests(ended + 1);
}

async function endedRequests(count: number): Promise<void> {
  while (monitor.requests.length < count) await yieldToEventLoop();
}

/** Of a request on a connection of its own. */
async function statusOf(sent: string): Promise<number | undefined> {
  const socket = await opened();
  socket.write(sent);
  return statusesIn(await textOf(socket))[0];
}
