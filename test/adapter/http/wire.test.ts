import { expect, test } from 'vitest';
import { servedRaw, textOf } from '../../support/served-api.js';

const serve = () => servedRaw({ token: 'token' });

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
  const { exchange, store } = await serve();
  const answer = read(await exchange(sent));
  expect(answer).toMatchObject({ status, body: { success: false, code } });
  expect(answer.head).toContain('X-Content-Type-Options: nosniff');
  expect(store.calls).toEqual([]);
});

const CLOSE = 'Connection: close\r\n';
const HEALTH = `GET /health HTTP/1.1\r\n${HOST}${CLOSE}\r\n`;
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
  expect(read(await (await serve()).exchange(head + BIG)).status).toBe(status);
});

test.each(REFUSED_BIG)('answers %i before the body has been sent', async (status, head) => {
  const socket = await (await serve()).open();
  socket.write(head);
  const [first] = await socket.take(1).toArray();
  expect(String(first)).toContain(`HTTP/1.1 ${status} `);
});

test('refuses a chunked body as soon as it is too large, and serves the connection on', async () => {
  const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
  const chunked = `${SEARCH}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(80)}0\r\n\r\n`;
  const text = await (await serve()).exchange(
    `${chunked}GET /health HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
  );
  expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
});

test('ignores the body of a GET, and serves the connection on', async () => {
  const get = `GET /health HTTP/1.1\r\n${HOST}Content-Length: 4\r\n\r\nbody`;
  const text = await (await serve()).exchange(`${get}GET /health HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
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
  const { exchange } = await serve();
  expect(read(await exchange(`GET /health HTTP/${head}\r\n`)).status).toBe(200);
});

test('responds to TRACE like to any method that a route does not have', async () => {
  const { exchange } = await serve();
  const { status, head } = read(await exchange(`TRACE ${HEALTH.slice(4)}`));
  expect(status).toBe(405);
  expect(head).toContain('Allow: GET, HEAD');
});

test('survives a client that goes away in the middle of its body', async () => {
  const { open, exchange } = await serve();
  const socket = await open();
  socket.end(`${SEARCH}${JSON_TYPE}Content-Length: 100\r\n\r\n{`);
  await textOf(socket);
  expect(read(await exchange(HEALTH)).status).toBe(200);
});

test.each(['CONNECT x:1 HTTP/1.1\r\n\r\n', 'nonsense\r\n\r\n'])(
  'survives a client that resets the connection after %j',
  async (sent) => {
    const { open, exchange } = await serve();
    const socket = await open();
    socket.write(sent);
    await new Promise((resolve) => socket.once('readable', resolve));
    await new Promise((resolve) => socket.once('close', resolve).resetAndDestroy());
    expect(read(await exchange(HEALTH)).status).toBe(200);
  },
);

/** The first response in a text. */
function read(text: string) {
  const [head = '', payload = ''] = text.split('\r\n\r\n');
  const body: unknown =
    payload.startsWith('{') && payload.endsWith('}') ? JSON.parse(payload) : payload;
  return { head, status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body };
}
