import { reasonOf } from '../../../domain/errors.js';
import { MAX_SUBSCRIPTIONS } from '../limits.js';
import type { McpServerParts } from './mcp-server-parts.js';

/** Where streamable HTTP is served. */
export const MCP_PATH = '/mcp';

/**
 * MCP over streamable HTTP, without sessions: a server for each request. A client of a revision before
 * 2026-07-28 cannot be asked for its roots then. The package is loaded by the first request.
 */
export function mcpEndpoint(parts: McpServerParts) {
  let handler: ReturnType<typeof createHandler> | undefined;
  return {
    path: MCP_PATH,
    async serve(request: Request, body: unknown): Promise<Response> {
      handler ??= createHandler(parts);
      return (await handler).fetch(request, body === undefined ? {} : { parsedBody: body });
    },
    close: async () => (await handler)?.close(),
  };
}

async function createHandler(parts: McpServerParts) {
  const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./create-mcp-server.js'),
  ]);
  return createMcpHandler(() => createMcpServer(parts), {
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) =>
      parts.logger.debug('An MCP request was not served.', { reason: reasonOf(error) }),
  });
}
