import { systemClock } from '../../adapters/system/system-clock.js';
import { WorkerService } from '../../adapters/workers/worker-service.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { Metrics } from '../../ports/driven/metrics.js';
import type { KnowledgeServices } from '../../ports/driving/knowledge-services.js';
import type { Config } from '../config/config.js';
import { Embeddings } from '../embeddings.js';
import type { StoreTotals } from '../projects/store-totals.js';
import { createProjectsSearch } from '../search/search-projects.js';
import { createEmbedder } from './create-embedder.js';
import { type Doors, doorsTo } from './doors.js';
import { measuredEmbedder } from './measured.js';

/** A service whose work is done by worker processes. */
export interface FrontService extends KnowledgeServices, Doors {
  readonly logger: Logger;
  /** What the stores in use hold together. */
  totals(): Promise<StoreTotals | undefined>;
  /** Number of projects that were used within the last minute. */
  projectsInUse(): number;
  /** Number of calls that no worker has yet. */
  waitingCalls(): number;
  /** Rejects if the workers cannot start. */
  ready(): Promise<void>;
  /** Rejects if the workers cannot start, or the server of the store cannot be used. */
  checkStore(): Promise<void>;
  /** Makes everything that waits for a lock of another process fail now. */
  stopWaiting(): void;
  stop(): Promise<void>;
}

/**
 * Composes a service that answers callers, hosts the embedding model and leaves everything that touches a project to
 * `config.workers` processes.
 */
export function createFrontService(
  config: Config,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
): FrontService {
  const clock = systemClock;
  const embedder = measuredEmbedder(createEmbedder(config, { clock, logger }), { metrics, clock });
  embedder.load('installed');
  const workers = new WorkerService({
    file: new URL('./worker.js', import.meta.url),
    settings: config,
    workers: config.workers,
    maxMb: config.workerMb,
    embedder,
    metrics,
    clock,
    logger,
  });
  const services = {
    ...workers.services,
    across: createProjectsSearch(workers.services.store),
    embedder: new Embeddings(embedder),
  };
  return {
    ...services,
    ...doorsTo(services, config.variant),
    logger,
    projectsInUse: () => workers.activeProjects,
    waitingCalls: () => workers.waitingCalls,
    totals: async () => (await workers.askOwner('totals')) as StoreTotals | undefined,
    ready: () => workers.ready(),
    checkStore: async () => {
      await workers.ready();
      await workers.askOwner('checkStore');
    },
    stopWaiting: () => workers.stopWaiting(),
    stop: async () => {
      await workers.stop();
      await embedder.close();
    },
  };
}
