import { Agent, type IncomingMessage, request } from 'node:http';

/** How a service describes itself. */
export interface Handshake {
  readonly name: 'knowledge-store';
  readonly version: string;
  readonly fingerprint: string;
  /** Id of the process that owns the socket. */
  readonly pid: number;
}

/** Option of the service: load the model before the first hybrid search. */
export const WITH_MODEL = '--with-model';

export const HANDSHAKE_PATH = '/';
export const OPERATIONS_PATH = '/operations';

/** The protocol name in the `Upgrade` header of a request for MCP. */
export const MCP_PROTOCOL = 'knowledge-store-mcp';
/** The header with the working directory of an MCP server, percent-encoded. */
export const DIRECTORY_HEADER = 'x-knowledge-directory';
/** The header that is present if `--project` named this directory. */
export const NAMED_HEADER = 'x-knowledge-directory-named';

/** A line of an answer: any number of lines with progress, then one with the result or an error. */
export type AnswerLine =
  | { readonly progress: { readonly done: number; readonly total: number } }
  | { readonly result?: unknown }
  | { readonly error: { readonly code: string; readonly sentence: string } };

/** Keeps connections to a socket open for the next request. */
export function newConnections(): Agent {
  return new Agent({ keepAlive: true });
}

interface Exchange {
  readonly socket: string;
  readonly path: string;
  readonly agent?: Agent;
  /** Sent by POST, as JSON. */
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Sends a request and resolves with the response before its body is read. @throws Node's error */
export function send({ socket, path, agent, body, signal }: Exchange): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({
      socketPath: socket,
      path,
      // Without this, Node checks the header with a regular expression that takes milliseconds to compile.
      ...{ servername: '' },
      method: body === undefined ? 'GET' : 'POST',
      headers: { Host: 'localhost', ...(body !== undefined && JSON_HEADERS(body)) },
      ...(agent !== undefined && { agent }),
      ...(signal !== undefined && { signal }),
    });
    sent.once('response', resolve);
    sent.once('error', reject);
    sent.end(body);
  });
}

const JSON_HEADERS = (body: string) => ({
  'Content-Type': 'application/json',
  'Content-Length': Buffer.byteLength(body),
});

/**
 * Reads the lines of a response to its end, so that its connection can be used again.
 * @throws Node's error if the response breaks off
 */
export async function* readLines(response: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const part of response.setEncoding('utf8')) {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
