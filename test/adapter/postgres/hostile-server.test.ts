import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PostgresProjectStores } from '../../../src/adapters/postgres/stores/postgres-project-stores.js';
import { systemClock } from '../../../src/adapters/system/system-clock.js';
import { EMBEDDING_DIMENSIONS } from '../../../src/domain/limits.js';
import { SilentLogger } from '../../fakes/silent-logger.js';
import { HostileServer, type Manners, message, WELCOME } from '../../support/hostile-postgres.js';

const NOISE = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 251));
const welcome = (answer: NonNullable<Manners['answer']>): Manners => ({
  greet: (socket) => void socket.write(WELCOME),
  answer,
});
const sending = (answer: Buffer) => welcome((socket) => void socket.write(answer));
const flooding = (part: Buffer): Manners['answer'] => {
  return (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(part));
    };
    socket.on('drain', more);
    more();
  };
};
const columns = (count: number) => {
  const body = Buffer.alloc(2);
  body.writeUInt16BE(count);
  return body;
};
const fields = (text: string) => Buffer.from(text.replaceAll('|', '\0'));

/** Each fails at once; `text` may be shown nowhere. */
const SPOILED: Readonly<Record<string, Manners>> = {
  'speaks another protocol': {
    greet: (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
  },
  'sends noise': { greet: (socket) => void socket.write(NOISE) },
  'sends noise in answer': sending(NOISE),
  'closes at once': { greet: (socket) => void socket.destroy() },
  'closes in the middle of a message': welcome((socket) => {
    socket.write(message('D', Buffer.alloc(3), 4000));
    socket.destroy();
  }),
  'sends a row before its columns': sending(message('D', columns(1))),
  'sends more columns than there are bytes': sending(message('T', columns(65_535))),
  'sends a length of 0': sending(message('D', Buffer.alloc(0), 0)),
  'sends an unknown message': sending(message('!')),
  'says that a statement failed, without a code': sending(
    Buffer.concat([
      message('E', fields('SERROR|Mheron at osprey||')),
      message('Z', Buffer.from('I')),
    ]),
  ),
  'says that it failed, with text for a code': sending(
    Buffer.concat([
      message('E', fields(`SERROR|C${'heron\n'.repeat(1000)}|Mosprey||`)),
      message('Z', Buffer.from('I')),
    ]),
  ),
  'asks for more rounds of hashing than anybody needs': {
    greet: (socket) =>
      void socket.write(
        message('R', Buffer.concat([Buffer.from([0, 0, 0, 10]), Buffer.from('SCRAM-SHA-256\0\0')])),
      ),
    answer: (socket, request) => {
      const nonce = /r=([^,]*)/.exec(request.toString('latin1'))?.[1] ?? '';
      const challenge = `r=${nonce}x,s=c2FsdA==,i=2000000000`;
      socket.write(
        message('R', Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from(challenge)])),
      );
    },
  },
};

/** Each is given up after some seconds. */
const SLOW: Readonly<Record<string, Manners>> = {
  'never greets': { greet: () => undefined },
  'never answers': welcome(() => undefined),
  'greets byte by byte': {
    greet: (socket) => {
      let sent = 0;
      const timer = setInterval(() => {
        socket.write(WELCOME.subarray(sent, sent + 1));
        sent += 1;
      }, 400);
      socket.on('close', () => clearInterval(timer));
    },
  },
  'announces more than fits into memory': sending(message('D', Buffer.alloc(100), 2 ** 32 - 1)),
};

/** Each sends until it is cut off. */
const ENDLESS: Readonly<Record<string, Manners>> = {
  'sends one message without an end': welcome((socket, request) => {
    socket.write(message('D', Buffer.alloc(0), 2 ** 32 - 1));
    flooding(Buffer.alloc(2 ** 16))?.(socket, request);
  }),
  'sends messages without an end': welcome((socket, request) =>
    flooding(
      Buffer.concat(Array.from({ length: 3000 }, () => message('N', fields('SNOTICE||')))),
    )?.(socket, request),
  ),
};

/** All at the same time, because most of each visit is waiting. */
describe.concurrent('a server that', () => {
  it.each(Object.keys(SPOILED))('%s costs one request', async (name) => {
    const { failure, shown, closingMs, connections, longestTurn } = await visit(
      SPOILED[name] as Manners,
    );
    expect(['store_unavailable', 'internal']).toContain(failure?.code);
    expect(shown).not.toMatch(/hawk|heron|osprey|127\.0/);
    expect(closingMs).toBeLessThan(4000);
    expect(longestTurn).toBeLessThan(1000);
    expect(connections).toBe(0);
  });

  it.each(Object.keys(SLOW))('%s is given up', { timeout: 30_000 }, async (name) => {
    const { failure, givenUpMs, closingMs, connections } = await visit(SLOW[name] as Manners);
    expect(givenUpMs).toBeLessThan(20_000);
    expect(failure).toMatchObject({ code: 'store_unavailable' });
    expect(closingMs).toBeLessThan(4000);
    expect(connections).toBe(0);
  });
});

/** Not beside those that measure how long a turn of the event loop takes. */
describe('a server that', () => {
  it.concurrent.each(Object.keys(ENDLESS))('%s is cut off', { timeout: 30_000 }, async (name) => {
    const before = process.memoryUsage().rss;
    const { failure } = await visit(ENDLESS[name] as Manners);
    expect(failure).toMatchObject({ code: 'store_unavailable' });
    expect(process.memoryUsage().rss - before).toBeLessThan(900 * 2 ** 20);
  });
});

async function visit(manners: Manners) {
  const logger = new SilentLogger();
  const server = await HostileServer.start(manners);
  const begun = performance.now();
  const stores = new PostgresProjectStores({
    url: server.url,
    keys: { find: async () => KEY, open: async () => KEY },
    model: 'test-model',
    dimensions: EMBEDDING_DIMENSIONS,
    clock: systemClock,
    logger,
  });
  let longestTurn = 0;
  let last = performance.now();
  const turns = setInterval(() => {
    longestTurn = Math.max(longestTurn, performance.now() - last);
    last = performance.now();
  }, 5);
  const failure = await stores.find('/project').then(
    () => undefined,
    (error) => error,
  );
  const again = await stores.find('/project').catch((error) => error);
  const givenUpMs = performance.now() - begun;
  const closing = performance.now();
  await stores.close();
  const closingMs = performance.now() - closing;
  clearInterval(turns);
  await sleep(50);
  const { connections } = server;
  await server.stop();
  const shown = JSON.stringify([
    failure,
    failure?.message,
    failure?.cause?.message,
    again?.message,
    logger.entries,
  ]);
  return { failure, shown, givenUpMs, closingMs, connections, longestTurn };
}

const KEY = '00000000-0000-4000-8000-000000000000';
