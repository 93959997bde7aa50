import type {
  InputRequiredResult,
  McpServer,
  ReadResourceRequest,
  ReadResourceResult,
  ServerContext,
} from '@modelcontextprotocol/server';
import { SOURCE_MIME_TYPE, SOURCE_URI_TEMPLATE, sourceAddress } from '../source-resources.js';
import { noResource, resourceError } from './errors.js';
import type { McpServerOptions } from './mcp-server-parts.js';
import { projectOf, projectOfList } from './project-of-call.js';

/** Lets clients list and read the sources of a project. */
export function registerResources(server: McpServer, parts: McpServerOptions): void {
  const { resources, directory, logger } = parts;
  server.server.setRequestHandler('resources/list', async ({ params }, context) => {
    const project = await projectOfList({ server, context, directory });
    if (project === undefined) return { resources: [] };
    const page = await resources.list(project, params?.cursor).catch((error) => {
      throw resourceError(error, logger);
    });
    return { ...page, resources: [...page.resources] };
  });
  server.server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ ...TEMPLATE }],
  }));
  server.server.setRequestHandler('resources/read', (request, context) =>
    read({ request, context, server }, parts).catch((error) => {
      throw resourceError(error, logger, request.params.uri);
    }),
  );
}

const TEMPLATE = {
  name: 'source',
  title: 'A file of the project',
  uriTemplate: SOURCE_URI_TEMPLATE,
  description:
    'The indexed text of a file: project is the absolute path of the project, or left out; file is relative to it.',
  mimeType: SOURCE_MIME_TYPE,
} as const;

interface ReadCall {
  readonly request: ReadResourceRequest;
  readonly context: ServerContext;
  readonly server: McpServer;
}

async function read(
  { request, context, server }: ReadCall,
  { resources, directory }: McpServerOptions,
): Promise<ReadResourceResult | InputRequiredResult> {
  const { uri } = request.params;
  const address = sourceAddress(uri);
  if (address === undefined) throw noResource(uri);
  const project = address.project ?? projectOf({ server, context, directory });
  if (typeof project !== 'string') return project;
  const text = await resources.read(project, address.sourceFile);
  return { contents: [{ uri, mimeType: SOURCE_MIME_TYPE, text }] };
}
