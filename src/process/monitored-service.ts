import { terminalLogger } from '../adapters/cli/terminal.js';
import type { Load, Monitor } from '../adapters/http/server/monitor.js';
import { PrometheusMetrics } from '../adapters/metrics/prometheus-metrics.js';
import { recent } from '../adapters/metrics/recent.js';
import { createPinoLogger } from '../adapters/system/pino-logger.js';
import type { Config } from '../app/config/config.js';
import type { StoreTotals } from '../app/projects/store-totals.js';
import type { ServedService } from '../app/wiring/doors.js';
import type { Logger } from '../ports/driven/logger.js';
import type { Metrics } from '../ports/driven/metrics.js';

interface Monitoring {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** A service that counts what it does, and the view on it for those who run it. */
export async function createMonitoredService(config: Config): Promise<{
  readonly service: ServedService;
  readonly monitor: Monitor;
}> {
  const metrics = new PrometheusMetrics();
  const compose = config.workers > 0 ? inWorkers : inThisProcess;
  const service = await compose(config, { metrics, logger: loggerOf(config) });
  return { service, monitor: monitorOf(service, metrics) };
}

/** Loads no core: it would take memory here and is not used. But SQLite, which each worker loads, is tried here: what it lacks is said once. */
async function inWorkers(config: Config, monitoring: Monitoring): Promise<ServedService> {
  await import('../adapters/sqlite/database/driver.js');
  const { createFrontService } = await import('../app/wiring/front-service.js');
  return createFrontService(config, monitoring);
}

async function inThisProcess(
  config: Config,
  { metrics, logger }: Monitoring,
): Promise<ServedService> {
  const { createService } = await import('../app/wiring/create-service.js');
  const service = createService(config, { ports: { logger, metrics }, sources: 'watched' });
  service.loadModel();
  return service;
}

/** On a terminal, the log is lines for people; JSON is for programs. */
function loggerOf({ logLevel: level }: Config): Logger {
  if (!process.stderr.isTTY) return createPinoLogger(level);
  return terminalLogger({ level, err: (text) => void process.stderr.write(text) });
}

function monitorOf(service: ServedService, metrics: PrometheusMetrics): Monitor {
  const totals = recent(() => service.totals(), TOTALS_MAX_AGE_MS);
  return {
    readiness: async () => {
      await service.checkStore();
      return {
        stores: { open: service.projectsInUse() },
        model: service.store.getModelStatus(),
      };
    },
    metrics: async (load) =>
      metrics.read({
        ...loadGauges(load, service.waitingCalls()),
        ...storeGauges(await totals().catch(() => undefined)),
      }),
    served: (request) => metrics.served(request),
  };
}

/** Counting the stores of 100 projects takes seconds under load. */
const TOTALS_MAX_AGE_MS = 10_000;

function loadGauges({ requestsInProgress }: Load, waitingCalls: number) {
  return {
    requests_in_progress: {
      help: 'Requests of the API that are being served.',
      value: requestsInProgress,
    },
    calls_waiting: { help: 'Calls that wait for a worker process.', value: waitingCalls },
  };
}

function storeGauges(totals: StoreTotals | undefined) {
  return {
    stores_active: { help: 'Stores in use, one per project.', value: totals?.stores ?? 0 },
    chunks: { help: 'Chunks of the stores in use.', value: totals?.chunks ?? 0 },
    store_bytes: { help: 'Size of the files of the stores in use.', value: totals?.bytes ?? 0 },
    vectors_pending: {
      help: 'Chunks that wait for their vector.',
      value: totals?.pendingVectors ?? 0,
    },
    questions_pending: {
      help: 'Chunks without a vector of the questions that they answer.',
      value: totals?.pendingQuestions ?? 0,
    },
  };
}
