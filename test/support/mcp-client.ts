import { homedir } from 'node:os';
import { pathToFileURL } from 'node:url';
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import {
  StdioClientTransport,
  type StdioServerParameters,
} from '@modelcontextprotocol/client/stdio';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import {
  createMcpServer,
  type McpServerOptions,
} from '../../src/adapters/mcp/server/create-mcp-server.js';
import { knowledgeTools } from '../../src/adapters/mcp/tools/knowledge-tools.js';
import type { FakeService } from '../fakes/fake-service.js';

/** The two generations of the protocol: with a handshake, and without one (since 2026-07-28). */
export const ERAS = ['legacy', 'auto'] as const;
export type Era = (typeof ERAS)[number];

export interface ClientOptions {
  readonly era?: Era;
  /** Directories that the client shares as roots; without them it has no roots. */
  readonly roots?: readonly string[];
}

/** A client of the official SDK, not connected yet. */
export function mcpClient({ era = 'auto', roots }: ClientOptions = {}): Client {
  const client = new Client(
    { name: 'a test', version: '1.0.0' },
    {
      versionNegotiation: { mode: era },
      capabilities: roots === undefined ? {} : { roots: {} },
    },
  );
  if (roots !== undefined) {
    const listed = roots.map((root) => ({ uri: pathToFileURL(root).href }));
    client.setRequestHandler('roots/list', () => ({ roots: listed }));
  }
  return client;
}

/** A client connected to a server in this process. */
export async function connectedClient(
  parts: McpServerOptions,
  options?: ClientOptions,
): Promise<Client> {
  const client = mcpClient(options);
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  serveStdio(() => createMcpServer(parts), { transport: serverEnd });
  await client.connect(clientEnd);
  return client;
}

/** A client connected to the endpoint of a service. */
export async function clientOfService(url: string | URL, options?: ClientOptions): Promise<Client> {
  const client = mcpClient(options);
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  return client;
}

/** A client connected to a server that runs as a process of its own. */
export async function clientOfProcess(server: StdioServerParameters, options?: ClientOptions) {
  const transport = new StdioClientTransport({ stderr: 'ignore', ...server });
  const client = mcpClient(options);
  await client.connect(transport);
  return { client, transport };
}

/** Server options whose answers come from a fake. */
export function fakeMcpParts(store: FakeService) {
  return {
    ...store,
    hasLanguageModel: true,
    projectKind: () => 'repository' as const,
    worktreeText: () => undefined,
    nearestProject: (directory: string) =>
      directory === '/' || directory === homedir() ? undefined : directory,
    tools: knowledgeTools({ ...store, hasLanguageModel: true }),
  };
}

/** The text of a tool's result. */
export function textOf(result: Awaited<ReturnType<Client['callTool']>>): string {
  return result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
