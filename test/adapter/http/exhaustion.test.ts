import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  DEFAULT_SERVER_LIMITS,
  type ServerLimits,
} from '../../../src/adapters/http/server/server-limits.js';
import { servedRaw, statusesIn, textOf } from '../../support/served-api.js';

/** The same limits as by default, in a fiftieth of the time. */
const SHORT: Partial<ServerLimits> = {
  headersTimeoutMs: DEFAULT_SERVER_LIMITS.headersTimeoutMs / 50,
  requestTimeoutMs: DEFAULT_SERVER_LIMITS.requestTimeoutMs / 50,
  timeoutCheckMs: DEFAULT_SERVER_LIMITS.timeoutCheckMs / 50,
};
const HOST = 'Host: localhost\r\n';
const BODY = '{"projectPath":"/p"}';
const STATS = `POST /api/knowledge/stats HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`;
const WHOLE = `${STATS}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;
/** The last request of a connection. */
const LAST = WHOLE.replace(HOST, `${HOST}Connection: close\r\n`);

/** What a slow client sends at first, and then again and again. */
const SLOW: readonly (readonly [string, string, string])[] = [
  ['nothing at all', '', ''],
  ['half a request line', 'GET /hea', ''],
  ['one header after the other', `GET /health HTTP/1.1\r\n${HOST}`, 'X: x\r\n'],
  ['a header without end', `${STATS}X: x`, 'x'],
  ['no body', `${STATS}Content-Length: 1000\r\n\r\n`, ''],
  ['a body, byte by byte', `${STATS}Content-Length: 100000\r\n\r\n`, ' '],
  ['a body, chunk by chunk', `${STATS}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
];

describe('a client that is slow', () => {
  test.each(SLOW)('gets 408 and is cut off if it sends %s', async (_, first, then) => {
    const { open, store, logger } = await servedRaw({ limits: SHORT });
    const begin = performance.now();
    const socket = await open();
    drip(socket, first, then);
    const text = await textOf(socket);
    expect(statusesIn(text)).toEqual([408]);
    expect(text).toContain('Connection: close');
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toEqual({
      success: false,
      error: 'The request did not arrive in time.',
      code: 'invalid_request',
    });
    expect(performance.now() - begin).toBeGreaterThanOrEqual(SHORT.headersTimeoutMs ?? 0);
    expect(store.calls).toEqual([]);
    expect(logger.messages('error')).toEqual([]);
    expect(logger.messages('warn')).toEqual([]);
  });

  test('does not occupy a slot while its body arrives', async () => {
    const { open, exchange } = await servedRaw({ limits: { maxInFlight: 1 } });
    const slow = await open();
    slow.write(`${STATS}Content-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, 5)}`);
    expect(statusesIn(await exchange(LAST))).toEqual([200]);
    slow.write(BODY.slice(5));
    const [answer] = await once(slow, 'data');
    expect(statusesIn(String(answer))).toEqual([200]);
  });
});

describe('many connections', () => {
  test('that are idle, 1,000 of them, delay no request and are closed', async () => {
    const { open, exchange } = await servedRaw({ limits: SHORT });
    const idle = await Promise.all(Array.from({ length: 1_000 }, open));
    expect(statusesIn(await exchange(LAST))).toEqual([200]);
    const texts = await Promise.all(idle.map(textOf));
    expect(new Set(texts.map((text) => statusesIn(text).join()))).toEqual(new Set(['408']));
    expect(statusesIn(await exchange(LAST))).toEqual([200]);
  });

  test('beyond the limit are closed without a response, the others are served', async () => {
    const { open } = await servedRaw({ limits: { maxConnections: 2 } });
    const [first, second] = [await open(), await open()];
    expect(await textOf(await open())).toBe('');
    for (const socket of [first, second]) {
      socket.write(WHOLE);
      const [answer] = await once(socket, 'data');
      expect(statusesIn(String(answer))).toEqual([200]);
    }
  });
});

/** Never leaves a connection without bytes for longer than 10 ms, if there is anything to repeat. */
function drip(socket: Socket, first: string, then: string): void {
  socket.write(first);
  if (then === '') return;
  const drips = setInterval(() => socket.writable && socket.write(then), 10);
  onTestFinished(() => clearInterval(drips));
}
