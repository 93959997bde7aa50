import { Writable } from 'node:stream';
import { serveStdio as serveTransport } from '@modelcontextprotocol/server/stdio';
import { PARENT_CHECK_MS } from '../limits.js';
import { createMcpServer } from './create-mcp-server.js';
import type { McpServerOptions } from './mcp-server-parts.js';
import { StdioConnection } from './stdio-connection.js';

/**
 * Serves the client at the other end of standard input and output. Resolves when the client is gone: the
 * streams have ended, the parent process has, or this one was told to by SIGTERM, SIGINT or SIGHUP.
 */
export async function serveStdio(parts: McpServerOptions): Promise<void> {
  const transport = new StdioConnection(process.stdin, protocolOutput());
  const served = serveTransport(() => createMcpServer(parts), {
    transport,
    onerror: (error) => parts.logger.warn('A message of the client was not served.', { error }),
  });
  const close = () => void served.close();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, close);
  const watch = whenParentEnds(close);
  await transport.ended;
  clearInterval(watch);
}

/** A parent that was killed may leave the streams open in a wrapper such as `npm exec`. */
function whenParentEnds(close: () => void): NodeJS.Timeout {
  const parent = process.ppid;
  return setInterval(() => {
    if (process.ppid !== parent) close();
  }, PARENT_CHECK_MS).unref();
}

/**
 * Standard output for the protocol alone: what anything else in this process prints goes to standard
 * error, where a client shows it as the log of the server.
 */
export function protocolOutput({ stdout, stderr }: StandardStreams = process): Writable {
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

export interface StandardStreams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}
