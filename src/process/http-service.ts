import { fileURLToPath } from 'node:url';
import { webPages } from '../adapters/http/console/web-pages.js';
import { HttpServer } from '../adapters/http/server/http-server.js';
import type { Monitor } from '../adapters/http/server/monitor.js';
import { mcpEndpoint } from '../adapters/mcp/server/http-endpoint.js';
import { PrometheusMetrics } from '../adapters/metrics/prometheus-metrics.js';
import { recent } from '../adapters/metrics/recent.js';
import { hasConsole } from '../app/config/config.js';
import type { Config } from '../app/config/fields.js';
import type { ComposedService } from '../app/service/service.js';
import type { StoreTotals } from '../app/status/store-totals.js';
import { composeService } from '../app/wiring/container.js';
import { listRoutes } from '../app/wiring/routes.js';
import { errorReason, systemErrorCode } from '../domain/errors.js';
import type { EmbeddingModel } from '../ports/embedder.js';
import { createLogger } from './logger.js';
import { version } from './version.js';

/** Parts that a worker shares with the others; absent in a process that serves alone. */
interface SharedWithWorkers {
  readonly embedder: EmbeddingModel;
  /** The metrics of all workers, in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
}

/** A service that listens. */
export interface RunningService {
  readonly url: string;
  /** Finishes requests in flight and closes every store, within 10 seconds. */
  stop(): Promise<void>;
}

/**
 * Composes the service and serves it over HTTP, in a single process and in each worker alike.
 * @throws Error with one line that names the faulty variable
 */
export async function startHttpService(
  config: Config,
  shared?: SharedWithWorkers,
): Promise<RunningService> {
  const [metrics, logger] = [new PrometheusMetrics(), await createLogger(config)];
  if (shared !== undefined) metrics.share();
  const service = composeService(config, {
    ports: { logger, metrics, ...(shared && { embedder: shared.embedder }) },
    sources: 'watched',
  });
  try {
    await checkStore(service);
    const monitor = createMonitor(service, metrics, shared?.metrics);
    const server = await createServer(config, service, monitor);
    measure(metrics, service, server);
    const url = await listen(server, config);
    service.embedder.load('installed');
    return { url, stop: () => stop(server, service) };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

async function stop(server: HttpServer, service: ComposedService): Promise<void> {
  const timer = setTimeout(() => void service.stop(), REQUESTS_TIMEOUT_MS);
  await server.close();
  clearTimeout(timer);
  await service.stop();
}

/** How long requests in flight may still take; the whole stop must end within 10 seconds. */
const REQUESTS_TIMEOUT_MS = 3000;

/**
 * Checks the database server, if there is one.
 * @throws Error with one line that names the variable and why its store cannot be used
 */
async function checkStore(service: ComposedService): Promise<void> {
  try {
    await service.checkStore();
  } catch (cause) {
    throw new Error(`KNOWLEDGE_STORE cannot be used: ${errorReason(cause)}`, { cause });
  }
}

async function createServer(
  config: Config,
  service: ComposedService,
  monitor: Monitor,
): Promise<HttpServer> {
  const { host, port, allowedHosts, token, variant } = config;
  return new HttpServer({
    routes: listRoutes(config, service),
    webPages: await webPages(WEB_PAGES, hasConsole(config) ? 'console' : 'docs'),
    endpoints: [mcpEndpoint({ ...service, directory: process.cwd(), version })],
    host,
    port,
    allowedHosts,
    ...(token !== undefined && { token }),
    variant,
    logger: service.logger,
    monitor,
  });
}

/** Where `npm run build` puts the web pages. */
const WEB_PAGES = fileURLToPath(new URL('../console', import.meta.url));

/** @throws Error with one line that names the host and port that cannot be used */
async function listen(server: HttpServer, { host, port }: Config): Promise<string> {
  try {
    return await server.listen();
  } catch (cause) {
    const isTaken = systemErrorCode(cause) === 'EADDRINUSE';
    const reason = isTaken
      ? 'another program uses this port. Choose another one.'
      : errorReason(cause);
    throw new Error(`Cannot listen on HOST=${host}, PORT=${port}: ${reason}`, { cause });
  }
}

function createMonitor(
  service: ComposedService,
  metrics: PrometheusMetrics,
  ofAllWorkers?: () => Promise<string>,
): Monitor {
  return {
    readiness: async () => {
      await service.checkStore();
      return {
        stores: { open: service.inUse().length },
        model: service.status.model(),
      };
    },
    metrics: ofAllWorkers ?? (() => metrics.read()),
    served: metrics.served.bind(metrics),
  };
}

/** Adds gauges, which are measured on request. A store used by several workers counts once per worker. */
function measure(metrics: PrometheusMetrics, service: ComposedService, server: HttpServer): void {
  metrics.measure({
    name: 'requests_in_progress',
    help: 'API requests in progress.',
    read: () => server.requestsInProgress,
  });
  const totals = recent(() => service.status.totals(), TOTALS_MAX_AGE_MS);
  for (const { name, help, total } of STORE_GAUGES) {
    const read = async () => (await totals().catch(() => undefined))?.[total] ?? 0;
    metrics.measure({ name, help, read });
  }
}

const STORE_GAUGES: readonly { name: string; help: string; total: keyof StoreTotals }[] = [
  { name: 'stores_active', help: 'Open stores, one per project.', total: 'stores' },
  { name: 'chunks', help: 'Chunks in the open stores.', total: 'chunks' },
  { name: 'store_bytes', help: 'File size of the open stores in bytes.', total: 'bytes' },
  { name: 'vectors_pending', help: 'Chunks waiting for their vector.', total: 'pendingVectors' },
  {
    name: 'questions_pending',
    help: 'Chunks waiting for the vector of their questions.',
    total: 'pendingQuestions',
  },
];

/** How long totals are reused, because counting the stores of 100 projects takes seconds under load. */
const TOTALS_MAX_AGE_MS = 10_000;
