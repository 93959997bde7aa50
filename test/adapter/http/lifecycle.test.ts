import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  HttpServer,
  type HttpServerOptions,
} from '../../../src/adapters/http/server/http-server.js';
import { route } from '../../../src/app/routes/route.js';
import { KnowledgeError } from '../../../src/domain/errors.js';
import { projectRequest } from '../../../src/schemas/fields.js';
import { QuietMonitor } from '../../fakes/quiet-monitor.js';
import { loopbackParts, postJson, servedRaw, textOf } from '../../support/served-api.js';

const HOST = 'Host: localhost\r\n';
const HEALTH = `GET /health HTTP/1.1\r\n${HOST}\r\n`;
const BODY = '{"projectPath":"/p"}';
const STATS = `POST /api/knowledge/stats HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

describe('a server that starts', () => {
  test('returns the URL that it serves, with the actual port', async () => {
    const { url, store } = await serve({});
    expect(url.href).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/$/);
    expect(await (await fetch(new URL('/health', url))).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(new URL('/ready', url))).json()).toEqual({
      status: 'ready',
      variant: 'a variant',
      stores: { open: 0 },
      model: { name: 'a/model', state: 'idle' },
    });
    expect(store.calls).toEqual([]);
  });

  test('is not ready while the server of the store does not answer', async () => {
    const monitor = new QuietMonitor();
    monitor.readiness = () => Promise.reject(new KnowledgeError('store_unavailable', 'No answer.'));
    const { url } = await serve({ monitor });
    expect((await fetch(new URL('/ready', url))).status).toBe(503);
    expect((await fetch(new URL('/health', url))).status).toBe(200);
  });

  test('puts an IPv6 address in brackets', async () => {
    const { url } = await serve({ host: '::1' });
    expect(url.href).toMatch(/^http:\/\/\[::1\]:\d+\/$/);
    expect((await fetch(new URL('/health', url))).status).toBe(200);
  });
});

describe('a server with too much to do', () => {
  test('responds with 503 beyond its limit, always serves health, and recovers', async () => {
    const { url, store, stats } = await serve({ limits: { maxInFlight: 2 } });
    const release = store.hold();
    const held = [stats(), stats()];
    await store.called(2);
    const refused = await stats();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({ success: false, code: 'overloaded' });
    expect((await fetch(new URL('/health', url))).status).toBe(200);
    release();
    expect((await Promise.all(held)).map((answer) => answer.status)).toEqual([200, 200]);
    expect((await stats()).status).toBe(200);
  });

  test('frees the slot of a failed request', async () => {
    const { store, stats } = await serve({ limits: { maxInFlight: 1 } });
    store.failWith(new Error('a bug'));
    expect((await stats()).status).toBe(500);
    expect((await stats()).status).toBe(500);
  });
});

describe('a server that stops', () => {
  test('lets requests in flight finish, and accepts no more connections', async () => {
    const { url, store, server, stats } = await serve({});
    const release = store.hold();
    const inFlight = stats();
    await store.called(1);
    const closed = server.close();
    await expect(fetch(new URL('/health', url))).rejects.toThrow();
    release();
    const answer = await inFlight;
    expect(answer.status).toBe(200);
    expect(answer.headers.get('connection')).toBe('close');
    await closed;
  });

  test('closes idle connections at once', async () => {
    const { open, server } = await serve({});
    const idle = [await open(), await open()];
    idle[1]?.write(HEALTH);
    await firstBytes(idle[1]);
    await server.close();
    for (const socket of idle) await socket.toArray();
  });

  test('ends a connection that is still at work with its response', async () => {
    const { open, store, server } = await serve({});
    const release = store.hold();
    const socket = await open();
    socket.write(STATS);
    await store.called(1);
    const closed = server.close();
    const text = textOf(socket);
    release();
    expect(await text).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: close\r\n/);
    await closed;
  });

  test('sends the whole of a long answer', async () => {
    const content = 'x'.repeat(20_000_000);
    const long = route('POST /long', {
      summary: 'Long.',
      request: projectRequest,
      response: z.object({ content: z.string() }),
      handle: (_: unknown) => ({ content }),
    });
    const { open, server } = await serve({ routes: [long.servedBy(undefined)] });
    const socket = await open();
    socket.write(STATS.replace('/api/knowledge/stats', '/long'));
    await firstBytes(socket);
    const closed = server.close();
    const text = await textOf(socket);
    await closed;
    expect(text.length).toBeGreaterThan(19_900_000);
    expect(text.endsWith('x"}')).toBe(true);
  });

  test('cuts off what takes longer than the grace time', async () => {
    const { store, server, stats } = await serve({ limits: { graceMs: 1 } });
    store.hold();
    const inFlight = stats();
    await store.called(1);
    await server.close();
    await expect(inFlight).rejects.toThrow();
  });

  test('can be stopped twice, or before it was started', async () => {
    const { server } = await serve({});
    await Promise.all([server.close(), server.close()]);
    await new HttpServer(loopbackParts([])).close();
  });
});

async function serve(changed: Partial<HttpServerOptions>) {
  const served = await servedRaw(changed);
  const stats = () => postJson(new URL('/api/knowledge/stats', served.url), BODY);
  return { ...served, stats };
}

/** Waits for the answer to begin, and leaves it where it is. */
function firstBytes(socket: Socket | undefined): Promise<unknown> {
  return new Promise((resolve) => socket?.once('readable', resolve));
}
