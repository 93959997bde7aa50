import { expect, test } from 'vitest';
import { z } from 'zod';
import { route } from '../../../src/app/routes/route.js';
import { servedRaw } from '../../support/served-api.js';

/** What a path is taken for; `/` stands for itself. */
const PATHS = ['/', '/a', '/a/b'];

const warnings: Error[] = [];
process.on('warning', (warning) => warnings.push(warning));

/** The target of a request line, and the path and query that it is taken for, or the code of its refusal. */
const TARGETS: readonly (readonly [string, { path: string; b?: string } | string])[] = [
  ['/a/b', { path: '/a/b' }],
  ['/a?b=c?d', { path: '/a', b: 'c?d' }],
  ['/a?', { path: '/a' }],
  ['/?b=/', { path: '/', b: '/' }],
  ['/a#b?c', { path: '/a' }],
  ['/a?b=1#c', { path: '/a', b: '1' }],
  ['//localhost/a', 'not_found'],
  ['//evil/a', 'not_found'],
  ['/http://localhost/a', 'not_found'],
  ['/a/../a', 'not_found'],
  ['/a%2Fb', 'not_found'],
  ['/a\\b', 'not_found'],
  ['*', 'not_found'],
  ['http://localhost:80/a?b=1', { path: '/a', b: '1' }],
  ['HTTP://localhost', { path: '/' }],
  ['http://localhost?b=1', { path: '/', b: '1' }],
  ['http://localhost\\a', 'invalid_request'],
  ['http://a@localhost/a', 'host_not_allowed'],
  ['http:///a', 'host_not_allowed'],
  ['http://evil/a', 'host_not_allowed'],
  ['http://evil:80/a', 'host_not_allowed'],
  ['http://127.0.0.1@evil/a', 'host_not_allowed'],
  ['http://localhost:evil/a', 'invalid_request'],
  ['http://localhost:99999/a', 'invalid_request'],
  ['http://[x/a', 'invalid_request'],
];

test.each(TARGETS)('takes the target %s for %j', async (target, expected) => {
  const { status, type, body } = await ask(target);
  expect(type).toBe('application/json; charset=utf-8');
  if (typeof expected === 'string') {
    expect(body).toMatchObject({ success: false, code: expected });
    expect(status).toBeGreaterThanOrEqual(400);
  } else {
    expect({ status, body }).toEqual({ status: 200, body: expected });
  }
});

test('causes no warning of Node about a target', () => {
  expect(warnings).toEqual([]);
});

function echo(path: string) {
  return route(`GET /${path.slice(1)}`, {
    summary: 'Echoes.',
    request: z.object({ b: z.string().exactOptional() }),
    response: z.object({ path: z.string(), b: z.string().optional() }),
    handle: (_: unknown, fields) => ({ path, ...fields }),
  }).servedBy(undefined);
}

async function ask(target: string) {
  const { exchange } = await servedRaw({ routes: PATHS.map(echo) });
  const sent = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
  const [head = '', body = ''] = (await exchange(sent)).split('\r\n\r\n');
  return {
    status: Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)),
    type: /^content-type: (.*)$/im.exec(head)?.[1],
    body: JSON.parse(body),
  };
}
