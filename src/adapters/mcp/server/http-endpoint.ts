import { errorReason } from '../../../domain/errors.js';
import { isRecord } from '../../../domain/records.js';
import type { ToolParts } from '../tools/knowledge-tools.js';
import type { McpServerOptions } from './create-mcp-server.js';

type McpEndpointOptions = Omit<McpServerOptions, 'tools'> & ToolParts;

/** Path of streamable HTTP. */
const MCP_PATH = '/mcp';

/**
 * Serves MCP over streamable HTTP without sessions, with one server per request. Clients of a revision before
 * 2026-07-28 can therefore not be asked for their roots. The first request loads the SDK and the tools.
 */
export function mcpEndpoint(parts: McpEndpointOptions) {
  let handler: ReturnType<typeof createHandler> | undefined;
  return {
    path: MCP_PATH,
    projectOf: namedDirectory,
    async serve(request: Request, body: unknown): Promise<Response> {
      if (Array.isArray(body)) return Response.json(NO_BATCH, { status: 400 });
      handler ??= createHandler(parts);
      const response = await (await handler).fetch(
        acceptingBoth(request),
        body === undefined ? {} : { parsedBody: body },
      );
      return readsJsonOnly(request.headers.get('accept')) ? withoutEvents(response) : response;
    },
    close: async () => (await handler)?.close(),
  };
}

/** The directory that the arguments of a call name as its project. */
function namedDirectory(body: unknown): string | undefined {
  const params = isRecord(body) ? body['params'] : undefined;
  const args = isRecord(params) ? params['arguments'] : undefined;
  const directory = isRecord(args) ? args['project'] : undefined;
  return typeof directory === 'string' ? directory : undefined;
}

/** Pretends that a client accepts both JSON and events if it accepts one of them: the SDK refuses it otherwise. */
function acceptingBoth(request: Request): Request {
  const headers = new Headers(request.headers);
  const accepted = headers.get('accept') ?? '*/*';
  if (!ACCEPTS_JSON.test(accepted) && !EVENTS.test(accepted)) return request;
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(request, { headers });
}

const ACCEPTS_JSON = /(?:^|,)\s*(?:\*\/\*|application\/(?:json|\*))\s*(?:;|,|$)/i;

/** A batch would count as one request, no matter how many it contains. MCP has had no batches since 2025-06-18. */
const NO_BATCH = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_600, message: 'Batches are not supported: send one request at a time.' },
};

/** Maximum number of clients that may wait for changes at the same time; each occupies the place of a request. */
const MAX_SUBSCRIPTIONS = 64;

async function createHandler(parts: McpEndpointOptions) {
  const [{ createMcpHandler }, { createMcpServer }, { knowledgeTools }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./create-mcp-server.js'),
    import('../tools/knowledge-tools.js'),
  ]);
  const tools = knowledgeTools(parts);
  return createMcpHandler(() => createMcpServer({ ...parts, tools }), {
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) =>
      parts.logger.debug('An MCP request could not be handled.', { reason: errorReason(error) }),
  });
}

/** Whether a client accepts JSON but no events, and so cannot read a stream. */
function readsJsonOnly(accepted: string | null): boolean {
  return accepted !== null && ACCEPTS_JSON.test(accepted) && !EVENTS.test(accepted);
}

const EVENTS = /text\/(?:event-stream|\*)|\*\/\*/i;

/** Replaces an event stream with the one response in it, as JSON. Returns any other response unchanged. */
async function withoutEvents(response: Response): Promise<Response> {
  const { body, headers, status } = response;
  if (body === null || !headers.get('content-type')?.startsWith('text/event-stream')) {
    return response;
  }
  const answer = await firstAnswer(body);
  return new Response(answer, {
    status,
    headers: { ...Object.fromEntries(headers), 'content-type': 'application/json' },
  });
}

/** The data of the first event with a JSON-RPC id, which no notification has; empty if there is none. */
async function firstAnswer(body: ReadableStream<Uint8Array>): Promise<string> {
  let rest = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    const answer = lines.find((line) => line.startsWith('data:') && hasId(line.slice(5)));
    if (answer !== undefined) return answer.slice(5).trim();
  }
  return '';
}

function hasId(text: string): boolean {
  try {
    const message: unknown = JSON.parse(text);
    return isRecord(message) && 'id' in message;
  } catch {
    return false;
  }
}
