import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { searchOnlyApi } from '../../../src/adapters/http/routes/search-only-api.js';
import { HttpServer } from '../../../src/adapters/http/server/http-server.js';
import { type FakeService, fakeService } from '../../fakes/fake-service.js';
import { loopbackParts } from '../../support/served-api.js';

let store: FakeService;
let server: HttpServer;
let port: number;

beforeEach(async () => {
  store = fakeService();
  server = new HttpServer({ ...loopbackParts(searchOnlyApi(store)), token: 'token' });
  port = Number(new URL(await server.listen()).port);
});
afterEach(() => server.close());

const BIG = 'x'.repeat(5_000_000);
const HOST = 'Host: localhost\r\n';
const KEY = 'Authorization: Bearer token\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const SEARCH = `POST /api/knowledge/search HTTP/1.1\r\n${HOST}${KEY}`;

/** What is sent, and the status and code of the answer, after which the connection ends. */
const UNREADABLE: readonly (readonly [string, string, number, string])[] = [
  ['nonsense', 'nonsense\r\n\r\n', 400, 'invalid_request'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01', 400, 'invalid_request'],
  ['an unknown method', `BREW / HTTP/1.1\r\n${HOST}\r\n`, 400, 'invalid_request'],
  ['a header without a colon', `GET / HTTP/1.1\r\n${HOST}bad\r\n\r\n`, 400, 'invalid_request'],
  ['a target with bare UTF-8', `GET /ready?é HTTP/1.1\r\n${HOST}\r\n`, 400, 'invalid_request'],
  ['a wrong version', `GET / HTTP/9.9\r\n${HOST}\r\n`, 400, 'invalid_request'],
  ['a bad length', `${SEARCH}Content-Length: -1\r\n\r\n`, 400, 'invalid_request'],
  [
    'two ways to tell the length',
    `${SEARCH}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'invalid_request',
  ],
  [
    'a bad chunk',
    `${SEARCH}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`,
    400,
    'invalid_request',
  ],
  ['a header of 5 MB', `GET / HTTP/1.1\r\nX: ${BIG}\r\n\r\n`, 431, 'too_large'],
  ['a target of 5 MB', `GET /${BIG} HTTP/1.1\r\n\r\n`, 431, 'too_large'],
  [
    'chunk extensions without end',
    `${SEARCH}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(100_000)}\r\n`,
    413,
    'too_large',
  ],
  ['CONNECT', `CONNECT evil.example:443 HTTP/1.1\r\n\r\n${BIG}`, 405, 'method_not_allowed'],
];

test.each(UNREADABLE)('answers %s in JSON', async (_name, sent, status, code) => {
  const answer = await exchange(sent);
  expect(answer).toMatchObject({ status, body: { success: false, code } });
  expect(answer.head).toContain('X-Content-Type-Options: nosniff');
  expect(store.calls).toEqual([]);
});

const CLOSE = 'Connection: close\r\n';
const LENGTH = `Content-Length: ${BIG.length}\r\n`;
const post = (path: string, headers: string) =>
  `POST ${path} HTTP/1.1\r\n${headers}${LENGTH}${CLOSE}\r\n`;

/** The head of a request with a body of 5 MB, and the status of the answer. */
const REFUSED_BIG: readonly (readonly [number, string])[] = [
  [403, post('/api/knowledge/search', 'Host: evil\r\n')],
  [403, post('/api/knowledge/search', `${HOST}Origin: null\r\n`)],
  [401, post('/api/knowledge/search', HOST)],
  [404, post('/nope', HOST + KEY)],
  [405, post('/ready', HOST + KEY)],
  [415, post('/api/knowledge/search', HOST + KEY)],
  [413, post('/api/knowledge/search', HOST + KEY + JSON_TYPE)],
];

test.each(REFUSED_BIG)('lets a client read its %i after a body of 5 MB', async (status, head) => {
  expect((await exchange(head + BIG)).status).toBe(status);
});

test.each(REFUSED_BIG)('answers %i before the body has been sent', async (status, head) => {
  const socket = connect(port, '127.0.0.1');
  socket.write(head);
  const [first] = await socket.take(1).toArray();
  expect(String(first)).toContain(`HTTP/1.1 ${status} `);
});

test('refuses a chunked body as soon as it is too large, and serves the connection on', async () => {
  const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
  const chunked = `${SEARCH}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(80)}0\r\n\r\n`;
  const { text } = await exchange(`${chunked}GET /health HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
  expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
});

test('ignores the body of a GET, and serves the connection on', async () => {
  const get = `GET /health HTTP/1.1\r\n${HOST}Content-Length: 4\r\n\r\nbody`;
  const { text } = await exchange(`${get}GET /health HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
  expect(text.match(/HTTP\/1.1 200/g)).toHaveLength(2);
});

test.each([
  ['what expects more than 100-continue', `1.1\r\n${HOST}Expect: tea\r\n${CLOSE}`],
  ['HTTP/1.0', `1.0\r\n${HOST}`],
  [
    'what would switch protocols, without doing so',
    `1.1\r\n${HOST}Connection: Upgrade, close\r\nUpgrade: websocket\r\n`,
  ],
])('serves %s', async (_, head) => {
  expect((await exchange(`GET /health HTTP/${head}\r\n`)).status).toBe(200);
});

test('responds to TRACE like to any method that a route does not have', async () => {
  const { status, head } = await exchange(`TRACE /health HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
  expect(status).toBe(405);
  expect(head).toContain('Allow: GET, HEAD');
});

test('survives a client that goes away in the middle of its body', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${SEARCH}${JSON_TYPE}Content-Length: 100\r\n\r\n{`);
  socket.end();
  await ended(socket);
  expect((await exchange(`GET /health HTTP/1.1\r\n${HOST}${CLOSE}\r\n`)).status).toBe(200);
});

test.each(['CONNECT x:1 HTTP/1.1\r\n\r\n', 'nonsense\r\n\r\n'])(
  'survives a client that resets the connection after %j',
  async (sent) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(sent);
    await new Promise((resolve) => socket.once('readable', resolve));
    await new Promise((resolve) => socket.once('close', resolve).resetAndDestroy());
    expect((await exchange(`GET /health HTTP/1.1\r\n${HOST}${CLOSE}\r\n`)).status).toBe(200);
  },
);

/** Sends all bytes before it reads any, as blocking clients do, until the server ends the connection. */
async function exchange(sent: string) {
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve, reject) => {
    socket.once('error', reject).write(sent, resolve);
  });
  const text = await ended(socket);
  const [head = '', payload = ''] = text.split('\r\n\r\n');
  const body: unknown =
    payload.startsWith('{') && payload.endsWith('}') ? JSON.parse(payload) : payload;
  return { text, head, status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body };
}

async function ended(socket: Socket): Promise<string> {
  return Buffer.concat(await socket.toArray()).toString();
}
