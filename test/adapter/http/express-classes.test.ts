import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { expressClasses } from '../../../src/adapters/http/server/application.js';

test('makes requests and responses whose prototypes Express does not change', async () => {
  const app = express();
  const classes = expressClasses(app);
  const before: unknown[] = [];
  const after: unknown[] = [];
  app.get('/', (request, response) => {
    after.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    response.json({ protocol: request.protocol, isOwn: response.app === app });
  });
  const server = createServer(classes, (request, response) => {
    before.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    app(request as never, response as never);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const found = await fetch(`http://127.0.0.1:${port}/`);
  expect(await found.json()).toEqual({ protocol: 'http', isOwn: true });
  expect(after).toEqual(before);
  expect(after[0]).toBe(app.request);
  server.close();
});
