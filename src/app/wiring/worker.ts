/** Entry point of a worker process, which runs a whole core for the service. */
import { serveWorker } from '../../adapters/workers/serve-worker.js';
import type { Config } from '../config/config.js';
import { composeService } from './compose-service.js';
import { metricsModule } from './metrics-module.js';
import { workerModule } from './worker-module.js';

serveWorker((world) => {
  const modules = [workerModule(world), metricsModule(world.metrics)];
  const service = composeService(world.settings as Config, modules);
  return { ...service, services: service };
});
