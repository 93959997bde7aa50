/** Entry point of a worker, a process that runs the whole service and shares the model and metrics with the others. */
import { joinPrimary } from '../adapters/cluster/primary-link.js';
import { readConfig } from '../app/config/read-config.js';
import { errorReason } from '../domain/errors.js';
import { startHttpService } from './http-service.js';

const primary = await joinPrimary();
try {
  const service = await startHttpService(readConfig(process.env), {
    embedder: primary.embedder(),
    metrics: () => primary.metrics(),
  });
  primary.ready(service);
} catch (error) {
  primary.fail(errorReason(error));
}
