import { request } from 'node:http';
import { createInterface, type Interface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServedProject } from '../../adapters/cli/command-line-parts.js';
import type { Environment } from '../../app/config/read-config.js';
import { DIRECTORY_HEADER, MCP_PROTOCOL, NAMED_HEADER } from './exchange.js';
import { Conversation } from './mcp-conversation.js';
import { type LocalService, startService } from './start.js';

/**
 * Passes messages between an MCP client on standard input and output and the local service, until the client is gone.
 * Replaces a service that ends in the meantime.
 * @returns whether a service was found; if not, no input has been read
 */
export async function bridgeMcp(env: Environment, directory: ServedProject): Promise<boolean> {
  const connectOnce = async () => {
    const service = await startService({ env, onSlow: () => undefined });
    return service && connectTo(service, directory).catch(() => undefined);
  };
  const first = await connectOnce();
  if (first === undefined) return false;
  const conversation = new Conversation((line) => process.stdout.write(`${line}\n`));
  const client = clientLines();
  client.on('line', (line) => conversation.fromClient(line));
  for (let connection: Duplex | undefined = first; connection !== undefined; ) {
    const ended = carry(conversation, connection);
    await Promise.race([ended, client.gone]);
    if (client.isGone) {
      connection.end();
      await ended;
      return true;
    }
    connection = await connectAgain(connectOnce, client);
  }
  conversation.fail('The local service could not be restarted; restart this MCP server.');
  return true;
}

/**
 * Connects to the next service. Retries, because that one may end or be silent, too. Undefined after a timeout, or once
 * the client is gone.
 */
async function connectAgain(
  connectOnce: () => Promise<Duplex | undefined>,
  client: Pick<ClientLines, 'isGone'>,
): Promise<Duplex | undefined> {
  const startedAt = performance.now();
  while (!client.isGone && performance.now() - startedAt < CONNECT_AGAIN_MS) {
    const connection = await connectOnce();
    if (connection !== undefined) return connection;
    await pause(CONNECT_EVERY_MS);
  }
  return undefined;
}

/**
 * Long enough for a new service: a silent one is stopped after 10 seconds, and the next one takes two seconds to start.
 */
const CONNECT_AGAIN_MS = 20_000;
const CONNECT_EVERY_MS = 200;

/** Passes messages in both directions until the service closes the connection. */
async function carry(conversation: Conversation, connection: Duplex): Promise<void> {
  connection.on('error', () => connection.destroy());
  const lines = createInterface({ input: connection });
  lines.on('error', () => undefined);
  lines.on('line', (line) => conversation.fromService(line));
  conversation.connect((line) => connection.write(`${line}\n`));
  // `once` of node:events would reject on an earlier error.
  await new Promise<void>((resolve) => connection.once('close', () => resolve()));
  conversation.disconnect();
}

interface ClientLines extends Pick<Interface, 'on'> {
  /** Resolves when the client is gone. */
  readonly gone: Promise<void>;
  readonly isGone: boolean;
}

/**
 * Reads the lines of the client. It is gone when its stream or its process ends, or when this process gets a signal to
 * stop.
 */
function clientLines(): ClientLines {
  const lines = createInterface({ input: process.stdin });
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    const leave = () => {
      isGone = true;
      resolve();
    };
    lines.once('close', leave);
    process.stdout.on('error', leave);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, leave);
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && leave(), PARENT_CHECK_MS).unref();
  });
  return {
    on: lines.on.bind(lines),
    gone,
    get isGone() {
      return isGone;
    },
  };
}

const PARENT_CHECK_MS = 1_000;

/** @throws Error if the service refuses */
function connectTo(
  { place }: LocalService,
  { directory, isNamed }: ServedProject,
): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const asked = request({
      socketPath: place.socket,
      path: '/mcp',
      headers: {
        Host: 'localhost',
        Connection: 'Upgrade',
        Upgrade: MCP_PROTOCOL,
        [DIRECTORY_HEADER]: encodeURIComponent(directory),
        ...(isNamed && { [NAMED_HEADER]: 'true' }),
      },
    });
    asked.once('upgrade', (_response, socket: Duplex, head: Buffer) => {
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asked.once('response', () => reject(new Error('The service does not speak MCP.')));
    asked.once('error', reject);
    asked.end();
  });
}
