import type { ServingWorker } from '../../adapters/cluster/primary-link.js';
import { HttpServer } from '../../adapters/http/server/http-server.js';
import type { Endpoint } from '../../adapters/http/server/register-routes.js';
import type { Config } from '../../app/config/fields.js';
import { composeService } from '../../app/wiring/container.js';
import type { EmbeddingModel } from '../../ports/embedder.js';
import { inProcessOperations } from '../operations-in-process.js';
import { version } from '../version.js';
import { HANDSHAKE_PATH, type Handshake } from './exchange.js';
import { mcpConnections } from './mcp-connections.js';
import { operationsEndpoint } from './operations-endpoint.js';

/** The service in the worker, which gets its connections from the supervisor. */
export async function startLocalWorker(
  config: Config,
  embedder: EmbeddingModel,
): Promise<ServingWorker> {
  const host = { ports: { embedder }, sources: 'watched', userNotes: config } as const;
  const service = composeService(config, host);
  if (process.env['LOCAL_SERVICE_LOADS_MODEL']) service.embedder.load('installed');
  const mcp = mcpConnections(service);
  const server = new HttpServer({
    host: 'localhost',
    port: 0,
    variant: config.variant,
    logger: service.logger,
    routes: [],
    endpoints: [
      handshake,
      operationsEndpoint(inProcessOperations(service, config), service.logger),
    ],
    monitor: NO_MONITOR,
    upgrade: (request, connection) => mcp.serve(request, connection),
  });
  return {
    url: 'http://localhost',
    accept: (connection) => server.accept(connection),
    isBusy: () => server.connections > 0 || mcp.count > 0 || service.isAtWork(),
    stop: async () => {
      await Promise.all([server.close(), mcp.close()]);
      await service.stop();
    },
  };
}

const handshake: Endpoint = {
  path: HANDSHAKE_PATH,
  serve: async () => {
    const said: Handshake = {
      name: 'knowledge-store',
      version,
      fingerprint: process.env['LOCAL_SERVICE_FINGERPRINT'] ?? '',
      pid: Number(process.env['LOCAL_SERVICE_PID']),
    };
    return Response.json(said);
  },
  close: async () => undefined,
};

const NO_MONITOR = {
  readiness: async () => ({
    stores: { open: 0 },
    model: { name: '', state: 'idle' as const },
  }),
  metrics: async () => '',
  served: () => undefined,
};
