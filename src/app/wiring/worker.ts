/** Entry point of a worker process, which runs a whole core for the service. */
import type { PoolRequest } from '../../adapters/workers/messages.js';
import { serveWorker, type WorkerWorld } from '../../adapters/workers/serve-worker.js';
import type { Config } from '../config/config.js';
import { type ComposedService, composeService } from './compose-service.js';
import { metricsModule } from './metrics-module.js';
import { workerModule } from './worker-module.js';

serveWorker((world: WorkerWorld) => {
  const service = composeService(world.settings as Config, [
    workerModule(world),
    metricsModule(world.metrics),
  ]);
  return {
    services: service,
    handle: (request) => handle(service, request),
    stopWaiting: () => service.stopWaiting(),
    stop: () => service.stop(),
  };
});

async function handle(service: ComposedService, request: PoolRequest): Promise<unknown> {
  if (request.name === 'checkStore') return service.checkStore();
  if (request.name === 'totals') return service.totals();
  if (request.name === 'release') return service.release(request.projectPath);
  return service.wake(request.projectPath);
}
