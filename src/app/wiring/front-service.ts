import { systemClock } from '../../adapters/system/system-clock.js';
import { WorkerService } from '../../adapters/workers/worker-service.js';
import type { Logger } from '../../ports/driven/logger.js';
import type { Metrics } from '../../ports/driven/metrics.js';
import type { Config } from '../config/config.js';
import { Embeddings } from '../embeddings.js';
import type { StoreTotals } from '../projects/store-totals.js';
import { rememberingQueries } from '../search/remembering-queries.js';
import { createProjectsSearch } from '../search/search-projects.js';
import { createEmbedder } from './create-embedder.js';
import { doorsTo, type ServedService } from './doors.js';
import { measuredEmbedder } from './measured.js';
import { withReplies } from './routes.js';

/**
 * Composes a service that answers callers, hosts the embedding model and leaves everything that touches a project to
 * `config.workers` processes.
 * @throws KnowledgeError `store_unavailable` if these cannot start
 */
export async function createFrontService(
  config: Config,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
): Promise<ServedService> {
  const clock = systemClock;
  const embedder = measuredEmbedder(createEmbedder(config, { clock, logger }), { metrics, clock });
  embedder.load('installed');
  const workers = new WorkerService({
    ...{ metrics, clock, logger },
    embedder: rememberingQueries(embedder),
    file: new URL('./worker.js', import.meta.url),
    settings: config,
    workers: config.workers,
    maxMb: config.workerMb,
  });
  const services = {
    ...workers.services,
    across: createProjectsSearch(workers.services.store),
    embedder: new Embeddings(embedder),
  };
  const doors = doorsTo(services, config.variant);
  const stop = async () => {
    await workers.stop();
    await embedder.close();
  };
  await workers.ready().catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    ...services,
    ...doors,
    routes: withReplies(doors.routes, (call) => workers.call(call)),
    logger,
    projectsInUse: () => workers.activeProjects,
    waitingCalls: () => workers.waitingCalls,
    totals: async () => (await workers.askOwner('totals')) as StoreTotals | undefined,
    checkStore: async () => {
      await workers.ready();
      await workers.askOwner('checkStore');
    },
    stop,
  };
}
