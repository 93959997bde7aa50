import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ComposedService } from '../../app/service/service.js';
import { version } from '../version.js';
import { DIRECTORY_HEADER, MCP_PROTOCOL, NAMED_HEADER } from './exchange.js';

interface McpConnections {
  /** Number of connected clients. */
  readonly count: number;
  /** Serves the MCP client at the other end of an upgraded connection. */
  serve(request: IncomingMessage, connection: Duplex): void;
  /** Lets requests in flight finish, for a while. */
  close(): Promise<void>;
}

/** The MCP clients connected by `mcp` bridges. The MCP package is loaded for the first one. */
export function mcpConnections(service: ComposedService): McpConnections {
  const open = new Set<Connection>();
  return {
    get count() {
      return open.size;
    },
    serve: (request, connection) => {
      if (request.headers.upgrade !== MCP_PROTOCOL) return void connection.destroy();
      const one = serveConnection(service, { request, connection });
      open.add(one);
      connection.once('close', () => open.delete(one));
    },
    close: async () => {
      await Promise.all([...open].map(async (one) => (await one).close()));
    },
  };
}

type Connection = ReturnType<typeof serveConnection>;

interface Upgraded {
  readonly request: IncomingMessage;
  readonly connection: Duplex;
}

async function serveConnection(service: ComposedService, { request, connection }: Upgraded) {
  connection.on('error', () => connection.destroy());
  if ('setTimeout' in connection)
    (connection as Duplex & { setTimeout(ms: number): void }).setTimeout(0);
  const [{ serveStreams }, { knowledgeTools }] = await Promise.all([
    import('../../adapters/mcp/server/serve-stdio.js'),
    import('../../adapters/mcp/tools/knowledge-tools.js'),
  ]);
  service.embedder.load('installed');
  const directory = decodeURIComponent(String(request.headers[DIRECTORY_HEADER] ?? '/'));
  const isNamed = request.headers[NAMED_HEADER] !== undefined;
  connection.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${MCP_PROTOCOL}\r\n\r\n`,
  );
  const parts = { ...service, tools: knowledgeTools(service), directory, isNamed, version };
  const served = serveStreams(parts, { input: connection, output: connection });
  void served.ended.then(() => connection.end());
  return served;
}
