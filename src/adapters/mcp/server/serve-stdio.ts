import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import {
  StdioServerTransport,
  serveStdio as serveTransport,
} from '@modelcontextprotocol/server/stdio';
import { isRecord } from '../../../domain/records.js';
import { tryParseJson } from '../../../shared/try-parse-json.js';
import { createMcpServer, type McpServerOptions } from './create-mcp-server.js';

/**
 * Serves the client at the other end of standard input and output. Resolves when the client is gone: when the streams
 * or the parent process have ended, or this process got SIGTERM, SIGINT or SIGHUP.
 */
export async function serveStdio(parts: McpServerOptions): Promise<void> {
  const served = serveStreams(parts, { input: process.stdin, output: protocolOutput() });
  const close = () => void served.close();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, close);
  const watch = whenParentEnds(close);
  await served.ended;
  clearInterval(watch);
}

interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

interface ServedStreams {
  /** Resolves when the client is gone. */
  readonly ended: Promise<void>;
  /** Waits a limited time for pending requests, then ends the connection. */
  close(): Promise<void>;
}

/** Serves the client at the other end of two streams, one message per line. */
export function serveStreams(parts: McpServerOptions, { input, output }: Streams): ServedStreams {
  const transport = new StdioConnection(input, output);
  const served = serveTransport(() => createMcpServer(parts), {
    transport,
    onerror: (error) =>
      parts.logger.warn('A message from the client could not be handled.', { error }),
  });
  return { ended: transport.ended, close: async () => void (await served.close()) };
}

/** Calls `close` when the parent is gone: a killed one may leave the streams open in a wrapper such as `npm exec`. */
function whenParentEnds(close: () => void): NodeJS.Timeout {
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) close();
  }, PARENT_CHECK_MS).unref();
}

const PARENT_CHECK_MS = 1_000;

/**
 * Reserves standard output for the protocol: other output of this process goes to standard
 * error, where a client shows it as the log of the server.
 */
function protocolOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const output = new Writable({
    write: (chunk, encoding, done) => {
      write(chunk, encoding, done);
    },
  });
  stdout.on('error', (error) => output.destroy(error));
  return output;
}

/**
 * The connection to the client at the other end of two streams. Like the SDK's own, it ends when the input ends, but it
 * first answers pending requests: a client may send its requests and close the stream.
 */
class StdioConnection extends StdioServerTransport {
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  readonly #unanswered = new Set<RequestId>();
  readonly #settle = new AbortController();
  #closing: Promise<void> | undefined;
  #end: () => void = () => undefined;

  constructor(input: Readable, output: Writable) {
    super(
      requestLines(input, (id, message) => {
        output.write(
          `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } })}\n`,
        );
      }),
      output,
    );
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    // The client is gone, so pending requests are not waited for.
    output.once('error', () => this.#settle.abort());
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      if (isJSONRPCRequest(message)) this.#unanswered.add(message.id);
      deliver?.(message);
    };
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!isJSONRPCResponse(message) || message.id === undefined) return;
    this.#unanswered.delete(message.id);
    if (this.#closing !== undefined && this.#unanswered.size === 0) this.#settle.abort();
  }

  override close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    const { signal } = this.#settle;
    if (this.#unanswered.size > 0) {
      await pause(DRAIN_MS, undefined, { signal }).catch(() => undefined);
    }
    await super.close();
    this.#end();
  }
}

/** JSON-RPC 2.0 error code for an invalid request. */
const INVALID_REQUEST = -32_600;

/** How long requests in flight may take after the input has ended. */
const DRAIN_MS = 3_000;

/** Tells the client that the request with this id is not valid. */
type Refuse = (id: unknown, message: string) => void;

/**
 * Reads the messages of a client, one per line, in the form that the SDK reads. Counts `null` in place of optional
 * parts of a request as absent. Refuses messages that the SDK would drop silently, with the id of the request.
 */
function requestLines(input: Readable, refuse: Refuse): Readable {
  return Readable.from(readLines(input, refuse));
}

async function* readLines(input: Readable, refuse: Refuse): AsyncGenerator<Buffer> {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const message = line.trim() === '' ? undefined : readable(line, refuse);
    if (message !== undefined) yield Buffer.from(`${message}\n`);
  }
}

function readable(line: string, refuse: Refuse): string | undefined {
  const message = tryParseJson(line);
  if (Array.isArray(message)) {
    const requests = message.filter((one) => isRecord(one) && 'id' in one);
    for (const { id } of requests)
      refuse(id, 'Batches are not supported: send one request at a time.');
    return undefined;
  }
  if (!isRecord(message) || !('method' in message) || !('id' in message)) return line;
  const request = withoutNulls(message);
  if (isJSONRPCRequest(request)) return JSON.stringify(request);
  refuse(message['id'], 'The request is not valid JSON-RPC 2.0.');
  return undefined;
}

function withoutNulls({ params, ...request }: Readonly<Record<string, unknown>>) {
  if (!isRecord(params))
    return params === null || params === undefined ? request : { ...request, params };
  const given = Object.entries(params).filter(
    ([name, value]) => value !== null || (name !== '_meta' && name !== 'arguments'),
  );
  return { ...request, params: Object.fromEntries(given) };
}
