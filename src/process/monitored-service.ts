import { terminalLogger } from '../adapters/cli/terminal-logger.js';
import type { Load, Monitor } from '../adapters/http/server/monitor.js';
import { PrometheusMetrics } from '../adapters/metrics/prometheus-metrics.js';
import type { Config } from '../app/config/config.js';
import type { ActiveStores, StoreTotals } from '../app/projects/active-stores.js';
import { createService, type Service } from '../app/wiring/container.js';
import { loggerModule } from '../app/wiring/logger-module.js';
import { metricsModule } from '../app/wiring/metrics-module.js';
import { watchingModule } from '../app/wiring/watching-module.js';

/** A service that counts what it does, and the view on it for those who run it. */
export function createMonitoredService(config: Config): {
  readonly service: Service;
  readonly monitor: Monitor;
} {
  const metrics = new PrometheusMetrics();
  let stores: ActiveStores | undefined;
  const service = createService(config, [
    metricsModule({
      metrics,
      counted: (active) => {
        stores = active;
      },
    }),
    watchingModule,
    ...(process.stderr.isTTY ? [loggerModule(logForPeople(config))] : []),
  ]);
  return {
    service,
    monitor: {
      readiness: () => ({
        stores: { open: stores?.count() ?? 0 },
        model: service.store.getModelStatus(),
      }),
      metrics: async (load) =>
        metrics.read({
          ...loadGauges(load),
          ...storeGauges(await stores?.totals()),
        }),
      served: (request) => metrics.served(request),
    },
  };
}

/** On a terminal, the log is lines for people; JSON is for programs. */
function logForPeople({ logLevel }: Config) {
  return terminalLogger({ level: logLevel, err: (text) => void process.stderr.write(text) });
}

function loadGauges({ requestsInProgress }: Load) {
  return {
    requests_in_progress: {
      help: 'Requests of the API that are being served.',
      value: requestsInProgress,
    },
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
