import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { HttpServerOptions } from '../../../src/adapters/http/server/http-server.js';
import { servedRaw } from '../../support/served-api.js';

const TOKEN = 'a tökén of 5€';

const OK = 200;
const HOST = 'host_not_allowed';
const ORIGIN = 'origin_not_allowed';

/** Host headers; PORT is replaced with that of the server. */
const SERVED_HOSTS =
  '127.0.0.1:PORT|127.0.0.1|127.9.8.7:1|localhost:PORT|LOCALHOST|LocalHost:80|[::1]:PORT|[::1]';
const REFUSED_HOSTS =
  '|evil.example|evil.example:PORT|127.0.0.1.evil|127.0.0.1.evil.example:PORT|localhost.|' +
  'localhost.evil|evil.localhost|localhost:evil|localhost:80:80|127.0.0.1@evil|evil@127.0.0.1|' +
  '127.1|2130706433|0.0.0.0|10.0.0.1|::1|[::2]|[::1|localhost, evil.example';
const HOSTS: readonly (readonly [string | readonly string[] | undefined, number | string])[] = [
  ...SERVED_HOSTS.split('|').map((host) => [host, OK] as const),
  ...REFUSED_HOSTS.split('|').map((host) => [host, HOST] as const),
  [undefined, HOST],
  [['localhost', 'evil.example'], HOST],
  [['localhost', 'localhost'], HOST],
];

test.each(HOSTS)('answers the host %j with %s', async (host, expected) => {
  const port = await serve({});
  const named = typeof host === 'string' ? host.replace('PORT', port) : host;
  expect(await outcome(await ask(port, { host: named }))).toBe(expected);
});

test('names the setting that admits a refused host', async () => {
  const answer = await ask(await serve({}), { host: 'box.example' });
  expect(JSON.parse(await text(answer)).error).toContain('set KNOWLEDGE_ALLOWED_HOSTS');
});

test('does not look at X-Forwarded-Host', async () => {
  const port = await serve({});
  const forwarded = { 'X-Forwarded-Host': 'localhost', Forwarded: 'host=localhost' };
  expect(await outcome(await ask(port, { host: 'evil', ...forwarded }))).toBe(HOST);
  expect(await outcome(await ask(port, { host: 'localhost', 'X-Forwarded-Host': 'evil' }))).toBe(
    OK,
  );
});

test('takes the configured host, and any address, but no other name, when all addresses are bound', async () => {
  const port = await serve({ host: '0.0.0.0' });
  for (const host of ['10.1.2.3', '0.0.0.0:80', '[fe80::1]:80', 'localhost']) {
    expect(await outcome(await ask(port, { host }))).toBe(OK);
  }
  for (const host of ['evil.example', '10.1.2.3.evil', '[evil]', '10.1.2']) {
    expect(await outcome(await ask(port, { host }))).toBe(HOST);
  }
});

test('accepts further hosts by exact name, and with a port only if it is given', async () => {
  const allowedHosts = ['kb.example.org', 'Proxy:8443', '[fe80::2]'];
  const port = await serve({ allowedHosts });
  const own = ['kb.example.org', 'KB.example.org:1', 'proxy:8443', '[fe80::2]:1', 'localhost'];
  for (const host of own) expect(await outcome(await ask(port, { host }))).toBe(OK);
  const others = [
    'example.org',
    'x.kb.example.org',
    'kb.example.org.',
    'proxy',
    'proxy:80',
    '10.0.0.1',
  ];
  for (const host of others) expect(await outcome(await ask(port, { host }))).toBe(HOST);
  const foreign = { host: 'kb.example.org', Origin: 'http://evil.example' };
  expect(await outcome(await ask(port, foreign))).toBe(ORIGIN);
  const through = { host: 'kb.example.org', Origin: 'https://kb.example.org' };
  expect(await outcome(await ask(port, through))).toBe(OK);
});

/** Headers of a browser and the expected response of localhost. */
const ORIGINS: readonly (readonly [OutgoingHttpHeaders, number | string])[] = [
  [{}, OK],
  [{ Origin: 'http://localhost:PORT' }, OK],
  [{ Origin: 'https://localhost:PORT' }, OK],
  [{ Origin: 'http://LOCALHOST:PORT' }, OK],
  [{ Origin: 'http://localhost' }, ORIGIN],
  [{ Origin: 'http://localhost:1' }, ORIGIN],
  [{ Origin: 'http://127.0.0.1:PORT' }, ORIGIN],
  [{ Origin: 'http://localhost:PORT.evil' }, ORIGIN],
  [{ Origin: 'http://evil.example' }, ORIGIN],
  [{ Origin: 'ftp://localhost:PORT' }, ORIGIN],
  [{ Origin: 'localhost:PORT' }, ORIGIN],
  [{ Origin: 'null' }, ORIGIN],
  [{ Origin: '' }, ORIGIN],
  [{ Origin: ['http://localhost:PORT', 'http://evil.example'] }, ORIGIN],
  [{ 'Sec-Fetch-Site': 'same-origin' }, OK],
  [{ 'Sec-Fetch-Site': 'none' }, OK],
  [{ 'Sec-Fetch-Site': 'same-site' }, ORIGIN],
  [{ 'Sec-Fetch-Site': 'cross-site' }, ORIGIN],
  [{ 'Sec-Fetch-Site': '' }, ORIGIN],
  [{ Origin: 'http://localhost:PORT', 'Sec-Fetch-Site': 'cross-site' }, ORIGIN],
];

test.each(ORIGINS)('answers a page that sends %j with %s', async (headers, expected) => {
  const port = await serve({});
  const sent = JSON.parse(JSON.stringify(headers).replaceAll('PORT', port));
  const answer = await ask(port, { host: `localhost:${port}`, ...sent });
  expect(Object.keys(answer.headers).join()).not.toContain('access-control');
  expect(await outcome(answer)).toBe(expected);
});

const UNAUTHORIZED = 'unauthorized';
const SENT = Buffer.from(TOKEN, 'utf8').toString('latin1');

test.each([
  [undefined, UNAUTHORIZED],
  ['', UNAUTHORIZED],
  ['Bearer', UNAUTHORIZED],
  ['Bearer ', UNAUTHORIZED],
  ['Bearer wrong', UNAUTHORIZED],
  [`Bearer ${SENT}x`, UNAUTHORIZED],
  [`Bearer ${SENT.slice(0, -1)}`, UNAUTHORIZED],
  [`Basic ${SENT}`, UNAUTHORIZED],
  [SENT, UNAUTHORIZED],
  [`Bearer ${SENT}`, OK],
  [`bearer  ${SENT}`, OK],
])('answers the authorization %j with %s', async (authorization, expected) => {
  const port = await serve({ token: TOKEN });
  const answer = await ask(port, { host: 'localhost', ...(authorization && { authorization }) });
  expect(answer.headers['www-authenticate']).toBe(expected === OK ? undefined : 'Bearer');
  expect(await outcome(answer)).toBe(expected);
});

test.each([
  ['/health', OK],
  ['/health?x', OK],
  ['/health#x', OK],
  ['/health/', UNAUTHORIZED],
  ['/HEALTH', UNAUTHORIZED],
  ['/health%20', UNAUTHORIZED],
  ['/x/../health', UNAUTHORIZED],
  ['/ready', OK],
  ['/ready/', UNAUTHORIZED],
  ['/metrics', UNAUTHORIZED],
  ['/unknown', UNAUTHORIZED],
  ['/api/knowledge/search', UNAUTHORIZED],
])('serves %s without the token: %s', async (path, expected) => {
  const port = await serve({ token: TOKEN });
  expect(await outcome(await ask(port, { host: 'localhost' }, path))).toBe(expected);
});

test('judges the host before the origin, the origin before the token, the token before the route', async () => {
  const { url, store } = await servedRaw({ token: TOKEN });
  const { port } = url;
  const origin = { Origin: 'http://evil.example' };
  expect(await outcome(await ask(port, { host: 'evil', ...origin }, '/nope'))).toBe(HOST);
  expect(await outcome(await ask(port, { host: 'localhost', ...origin }, '/nope'))).toBe(ORIGIN);
  expect(await outcome(await ask(port, { host: 'localhost' }, '/nope'))).toBe(UNAUTHORIZED);
  expect(store.calls).toEqual([]);
});

async function serve(changed: Partial<HttpServerOptions>): Promise<string> {
  return (await servedRaw(changed)).url.port;
}

/** A request whose Host is exactly what is given. */
function ask(port: string, sent: Readonly<Record<string, unknown>>, path = '/openapi.json') {
  const headers = Object.entries(sent).filter(([, value]) => value !== undefined);
  return new Promise<IncomingMessage>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, agent: false, setHost: false };
    const call = request(options, resolve);
    for (const [name, value] of headers) call.setHeader(name, value as string);
    call.once('error', reject).end();
  });
}

/** 200, or the code of the error. */
async function outcome(answer: IncomingMessage): Promise<number | string> {
  const parts = await answer.toArray();
  return answer.statusCode === OK ? OK : JSON.parse(Buffer.concat(parts).toString()).code;
}

test.each([
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server/mcp',
  '/.well-known/openid-configuration',
  '/mcp/.well-known/openid-configuration',
])('has nothing at %s, with and without a token', async (path) => {
  for (const options of [{}, { token: TOKEN }]) {
    const port = await serve(options);
    expect(await outcome(await ask(port, { host: 'localhost' }, path))).toBe('not_found');
  }
});
