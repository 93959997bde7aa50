import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import type { ServerLimits } from '../../../src/adapters/http/server/server-limits.js';
import { route } from '../../../src/app/routes/route.js';
import { searchOnlyApi } from '../../../src/app/routes/search-only-api.js';
import { projectRequest } from '../../../src/schemas/fields.js';
import { fakeService } from '../../fakes/fake-service.js';
import { servedRaw, statusesIn, textOf } from '../../support/served-api.js';

const CONTENT = 'x'.repeat(20_000_000);

describe('a client that does not read', () => {
  test('is cut off once it has taken nothing for a while', async () => {
    const { open, made, statusOf, endedRequests } = await serve({ stalledMs: 300 });
    const socket = await open();
    socket.pause();
    socket.write(longRequest());
    const closed = once(socket, 'close');
    while (made.long === 0) await yieldToEventLoop();
    expect(await statusOf(stats('/other', 'close'))).toBe(200);
    await endedRequests(2);
    socket.resume();
    await closed;
  });

  test('gets all of its response if it reads slowly', async () => {
    const { open } = await serve({ stalledMs: 1_000 });
    const socket = await open();
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
  const { store, open } = await serve({ stalledMs: 20 });
  const release = store.hold();
  const socket = await open();
  socket.write(stats('/p', 'close'));
  await store.called(1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  release();
  expect(statusesIn(await textOf(socket))).toEqual([200]);
});

test('the last response of a connection says so', async () => {
  const { store, open } = await serve({ maxRequestsPerConnection: 2 });
  const socket = await open();
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
    const { store, open, leave, projects } = await serve({ maxBegunPerProject: 2 });
    const release = store.hold();
    const waiting: Socket[] = [];
    for (let index = 0; index < 6; index += 1) {
      const socket = await open();
      socket.write(stats('/busy'));
      waiting.push(socket);
    }
    await store.called(2);
    (await open()).write(stats('/other'));
    await store.called(3);
    for (const socket of waiting.slice(0, 5)) await leave(socket);
    release();
    await once(waiting[5] as Socket, 'data');
    expect(projects()).toEqual(['/busy', '/busy', '/other', '/busy']);
  });

  test.each(['', '/', '/.', '/../busy', '-link'])(
    'count together however they name it: %j',
    async (ending) => {
      const folder = await mkdtemp(join(tmpdir(), 'spelled-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      await mkdir(join(folder, 'busy'));
      await symlink('busy', join(folder, 'busy-link'));
      const { store, open, statusOf } = await serve({ maxPerProject: 1 });
      const release = store.hold();
      (await open()).write(stats(`${folder}/busy`));
      await store.called(1);
      expect(await statusOf(stats(`${folder}/busy${ending}`, 'close'))).toBe(503);
      release();
    },
  );

  test('beyond their limit get 503, while others are served', async () => {
    const { store, open, statusOf } = await serve({ maxPerProject: 1 });
    const release = store.hold();
    (await open()).write(stats('/busy'));
    await store.called(1);
    expect(await statusOf(stats('/busy', 'close'))).toBe(503);
    const other = statusOf(stats('/other', 'close'));
    await store.called(2);
    release();
    expect(await other).toBe(200);
  });
});

/** The search-only API with these limits, and a route that counts the responses of 20 MB that it has made. */
async function serve(limits: Partial<ServerLimits>) {
  const store = fakeService();
  const made = { long: 0 };
  const long = route('POST /long', {
    summary: 'Long.',
    request: projectRequest,
    response: z.object({ content: z.string() }),
    handle: (_: unknown) => {
      made.long += 1;
      return { content: CONTENT };
    },
  });
  const routes = [...searchOnlyApi(store), long.servedBy(undefined)];
  const served = await servedRaw({ routes, limits });
  const { monitor, exchange } = served;
  const endedRequests = async (count: number) => {
    while (monitor.requests.length < count) await yieldToEventLoop();
  };
  return {
    ...served,
    store,
    made,
    endedRequests,
    /** Of a request on a connection of its own. */
    statusOf: async (sent: string) => statusesIn(await exchange(sent))[0],
    /** Leaves, and waits until the server has noticed it. */
    async leave(socket: Socket): Promise<void> {
      const ended = monitor.requests.length;
      socket.destroy();
      await endedRequests(ended + 1);
    },
    /** Of the calls that have reached the store, in their order. */
    projects: () =>
      store.calls
        .filter(({ method }) => method === 'status.stats')
        .map(({ args }) => (args[0] as { projectPath: string }).projectPath),
  };
}

function stats(projectPath: string, connection = 'keep-alive', path = '/api/knowledge/stats') {
  const body = JSON.stringify({ projectPath });
  const headers = `Host: localhost\r\nContent-Type: application/json\r\nConnection: ${connection}\r\n`;
  return `POST ${path} HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
}

function longRequest(connection = 'keep-alive'): string {
  return stats('/p', connection, '/long');
}
