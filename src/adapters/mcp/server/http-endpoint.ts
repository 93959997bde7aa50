import { createMcpHandler } from '@modelcontextprotocol/server';
import { reasonOf } from '../../../domain/errors.js';
import { MAX_SUBSCRIPTIONS } from '../limits.js';
import { createMcpServer } from './create-mcp-server.js';
import type { McpServerParts } from './mcp-server-parts.js';

/** Where streamable HTTP is served. */
export const MCP_PATH = '/mcp';

/**
 * MCP over streamable HTTP, without sessions: a server for each request. A client of a revision before
 * 2026-07-28 cannot be asked for its roots then.
 */
export function mcpEndpoint(parts: McpServerParts) {
  const handler = createMcpHandler(() => createMcpServer(parts), {
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) =>
      parts.logger.debug('An MCP request was not served.', { reason: reasonOf(error) }),
  });
  return {
    path: MCP_PATH,
    serve: (request: Request, body: unknown): Promise<Response> =>
      handler.fetch(request, body === undefined ? {} : { parsedBody: body }),
    close: () => handler.close(),
  };
}
